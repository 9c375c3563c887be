import * as fc from "fast-check";
import { parse } from "yaml";
import type { KubernetesObject } from "capz-types";
import { splitDocuments } from "capz-windows-platform/manifests/yamlStream";
import { toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import {
  clusterResourceSetObject,
  configMapObject,
  maxConfigMapBytes,
  packResources,
} from "../../../components/clusterResourceSet/manifests";
import { objectsOf, titles } from "../../addons/fixtures";

const configMap = (name: string, data: Record<string, string> = {}): KubernetesObject =>
  configMapObject({ name, namespace: "kube-system", data });
const set = {
  name: "demo-calico",
  namespace: "demo",
  clusterSelector: { cni: "demo-calico" },
};
const filler = (bytes: number) => "x".repeat(bytes);

describe("a YAML stream", () => {
  it("keeps the order of objects and of their fields", () => {
    expect(toYamlStream([configMap("b", { z: "1", a: "2" }), configMap("a")])).toBe(
      [
        "apiVersion: v1",
        "kind: ConfigMap",
        "metadata:",
        "  name: b",
        "  namespace: kube-system",
        "data:",
        '  z: "1"',
        '  a: "2"',
        "---",
        "apiVersion: v1",
        "kind: ConfigMap",
        "metadata:",
        "  name: a",
        "  namespace: kube-system",
        "data: {}",
        "",
      ].join("\n"),
    );
  });

  it.each([
    "yes",
    "No",
    "on",
    "off",
    "y",
    "null",
    "1_000",
    "0o17",
    "0777",
    "1:30",
    "1e3",
    "~",
    "",
    "2001-01-01",
  ])("writes the text %j so that YAML 1.1, which Kubernetes reads, takes it for a text", (value) => {
    const stream = toYamlStream([configMap("a", { value })]);
    expect(parse(stream, { version: "1.1" })).toMatchObject({ data: { value } });
  });

  it("has no anchors where objects share a part", () => {
    const shared = { a: "b" };
    expect(toYamlStream([{ ...configMap("a", shared), binaryData: shared }])).not.toMatch(/[&*]a/);
  });

  it("round-trips any object", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z.-]{1,9}$/), fc.string({ unit: "grapheme" })),
        (data) => {
          expect(objectsOf(toYamlStream([configMap("a", data), configMap("b")]))[0]).toEqual(
            configMap("a", data),
          );
        },
      ),
    );
  });
});

describe("documents of a stream", () => {
  it("are divided at lines of three dashes only", () => {
    expect(
      splitDocuments("---\na: |\n  ---\n--- # next\nb: -----\n---\n\n---  \nc: 1\r\n---\nd: ---x"),
    ).toEqual(["a: |\n  ---\n", "b: -----\n", "c: 1\n", "d: ---x\n"]);
  });

  it("keep their comments", () => {
    expect(splitDocuments("# first\na: 1\n---\n# only\n")).toEqual(["# first\na: 1\n", "# only\n"]);
  });
});

describe("packing", () => {
  it("makes one ConfigMap of what fits, keys in the order of application, and the set over it", () => {
    const entry = (key: string) => ({ key, yaml: toYamlStream([configMap(key)]) });
    const { configMaps, clusterResourceSet } = packResources({
      ...set,
      labels: { team: "platform" },
      entries: [entry("zebra"), entry("ape")],
    });
    expect(configMaps).toEqual([
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "demo-calico", namespace: "demo", labels: { team: "platform" } },
        data: {
          "01-zebra": toYamlStream([configMap("zebra")]),
          "02-ape": toYamlStream([configMap("ape")]),
        },
      },
    ]);
    expect(clusterResourceSet).toEqual({
      apiVersion: "addons.cluster.x-k8s.io/v1beta2",
      kind: "ClusterResourceSet",
      metadata: { name: "demo-calico", namespace: "demo", labels: { team: "platform" } },
      spec: {
        strategy: "Reconcile",
        clusterSelector: { matchLabels: { cni: "demo-calico" } },
        resources: [{ kind: "ConfigMap", name: "demo-calico" }],
      },
    });
  });

  it("begins another ConfigMap before it divides an entry", () => {
    const entry = (key: string) => ({ key, yaml: toYamlStream([configMap(key, { a: filler(500 * 1024) })]) });
    const { configMaps, clusterResourceSet } = packResources({ ...set, entries: [entry("a"), entry("b")] });
    expect(configMaps.map(({ metadata, data }) => [metadata.name, Object.keys(data)])).toEqual([
      ["demo-calico", ["01-a"]],
      ["demo-calico-2", ["02-b"]],
    ]);
    expect(clusterResourceSet).toMatchObject({
      spec: { resources: [{ name: "demo-calico" }, { name: "demo-calico-2" }] },
    });
  });

  it("loses nothing, keeps the order and stays below the limit, whatever the sizes", () => {
    const document = fc.tuple(
      fc.constantFrom(10, 1_000, 200_000, 450_000, 899_000),
      // Characters of several lengths in UTF-8 and in JSON.
      fc.constantFrom("x", "\n", '"', "ß", "€"),
    );
    const entries = fc.array(fc.array(document, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(entries, (sizes) => {
        const streams = sizes.map((documents, entry) =>
          documents.map(([bytes, filling], index) => {
            const character = bytes > 200_000 ? "x" : filling;
            return configMap(`e${entry}-${index}`, {
              a: character.repeat(bytes / (bytes > 100_000 ? 3 : 1)),
            });
          }),
        );
        const { configMaps } = packResources({
          ...set,
          entries: streams.map((objects, index) => ({ key: `k${index}`, yaml: toYamlStream(objects) })),
        });
        // Cluster API applies ConfigMaps in order, and the keys of each sorted.
        const values = configMaps.flatMap(({ data }) =>
          Object.keys(data)
            .sort()
            .map((key) => data[key] ?? ""),
        );
        expect(values.flatMap(objectsOf)).toEqual(streams.flat());
        for (const object of configMaps) {
          expect(Buffer.byteLength(JSON.stringify(object))).toBeLessThanOrEqual(maxConfigMapBytes);
        }
        // Cluster API reads 32 bytes of every value first, and never applies a shorter one.
        for (const value of values) expect(value.length).toBeGreaterThanOrEqual(32);
      }),
      { numRuns: 25 },
    );
  });

  it("divides an entry that is too large between its documents", () => {
    const objects = [1, 2, 3].map((n) => configMap(`n${n}`, { a: filler(400 * 1024) }));
    const { configMaps } = packResources({ ...set, entries: [{ key: "big", yaml: toYamlStream(objects) }] });
    expect(configMaps.map(({ data }) => titles(objectsOf(data["01-big"] ?? "")))).toEqual([
      ["ConfigMap n1", "ConfigMap n2"],
      ["ConfigMap n3"],
    ]);
  });

  it("names the document that is too large for a ConfigMap, and its size", () => {
    const yaml = toYamlStream([configMap("small"), configMap("huge", { a: filler(maxConfigMapBytes) })]);
    expect(() => packResources({ ...set, entries: [{ key: "crds", yaml }] })).toThrow(
      /^Entry crds: ConfigMap huge takes 9216\d\d bytes; a ConfigMap of a ClusterResourceSet has room for 921\d\d\d\. /,
    );
  });

  it.each([
    ["---\n# nothing\n", "Entry a has no Kubernetes object."],
    ["", "Entry a has no Kubernetes object."],
    ["a: [", /^Entry a: document 1 is not YAML: /],
    [
      "- 1\n",
      "Entry a, document 1: a Kubernetes object has apiVersion, kind and metadata.name, each a text.",
    ],
    [
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: b}\n",
      "Entry a, document 2: DaemonSet b names no namespace. Write metadata.namespace: a ClusterResourceSet has no default.",
    ],
  ])("refuses %j", (yaml, message) => {
    expect(() => packResources({ ...set, entries: [{ key: "a", yaml }] })).toThrow(message);
  });

  it.each(["", "a/b", "ä"])("refuses the key %j", (key) => {
    const yaml = toYamlStream([configMap("a")]);
    expect(() => packResources({ ...set, entries: [{ key, yaml }] })).toThrow("a ConfigMap key has");
  });
});

describe("a ClusterResourceSet", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

  it("needs a selector", () => {
    expect(() => clusterResourceSetObject({ ...set, clusterSelector: {}, configMapNames: ["a"] })).toThrow(
      "clusterSelector is empty",
    );
  });

  it("has 1 to 100 resources", () => {
    expect(clusterResourceSetObject({ ...set, configMapNames: names(100) })).toBeDefined();
    for (const count of [0, 101]) {
      expect(() => clusterResourceSetObject({ ...set, configMapNames: names(count) })).toThrow(
        `ClusterResourceSet demo-calico has ${count} ConfigMaps; 1 to 100 are possible.`,
      );
    }
  });
});
