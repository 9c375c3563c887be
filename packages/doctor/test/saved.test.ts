import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { ownValue } from "capz-windows-kit/untyped";
import { reachableOf } from "capz-windows-doctor/access/model";
import { managementKinds, workloadKinds } from "capz-windows-doctor/cluster/kinds";
import { savedSnapshot } from "capz-windows-doctor/cluster/saved";
import type { Snapshot } from "capz-windows-doctor/cluster/snapshot";
import { diagnose } from "capz-windows-doctor/diagnose";
import { credentialForms, planted } from "capz-windows-test-kit/credentialForms";
import { leaks } from "capz-windows-test-kit/secrets";

/** What `doctor --save` keeps for those who help. */

const object = (kind: string, rest: object, metadata: object = {}) => ({
  ...{ apiVersion: "v1", kind, metadata: { name: "a", namespace: "n", ...metadata } },
  ...rest,
});

const snapshot = (objects: readonly object[]): Snapshot =>
  ({
    takenAt: "2026-11-22T05:01:57.892Z",
    cluster: { name: "dev", namespace: "n" },
    kubeconfig: planted,
    management: { objects, problems: [] },
    workload: { objects, problems: [] },
  }) as unknown as Snapshot;

const ofPassword = Object.values(credentialForms).filter((form) => form(planted).includes(planted));

it.each<readonly [what: string, place: (text: string) => object]>([
  ["message of an Event", (text) => object("Event", { message: text, reason: "Failed" })],
  [
    "condition",
    (text) =>
      object("Machine", { status: { conditions: [{ type: "Ready", status: "False", message: text }] } }),
  ],
  ["label of a Node", (text) => object("Node", {}, { labels: { "kubernetes.io/x": text } })],
])("a credential in the %s is not in it, in any form", (_what, place) => {
  const texts = ofPassword.map((form): [string, string] => [
    form("PW"),
    JSON.stringify(savedSnapshot(snapshot([place(form(planted))]))),
  ]);
  expect(leaks(texts, [planted])).toEqual([]);
});

it.each<readonly [what: string, one: object]>([
  [
    "protectedSettings",
    object("AzureMachinePool", {
      spec: { template: { vmExtensions: [{ protectedSettings: { a: planted } }] } },
    }),
  ],
  ["variables", object("Cluster", { spec: { topology: { variables: [{ name: "a", value: planted }] } } })],
  ["an annotation of others", object("Service", {}, { annotations: { "example.com/config": planted } })],
  [
    "the last-applied annotation",
    object("Pod", {}, { annotations: { "kubectl.kubernetes.io/last-applied-configuration": planted } }),
  ],
  [
    "the path of a webhook",
    object("ValidatingWebhookConfiguration", {
      webhooks: [{ clientConfig: { url: `https://hook.example.com/${planted}?x=${planted}` } }],
    }),
  ],
  [
    "a kind that is not read",
    object("Job", { spec: { template: { spec: { containers: [{ env: planted }] } } } }),
  ],
  ["a kind that is not read, as a template", object("KubeadmConfigTemplate", { spec: { files: [planted] } })],
  ["the environment of a container", object("DaemonSet", { spec: { env: [{ name: "A", value: planted }] } })],
])("%s is not in it", (_what, one) => {
  expect(leaks([["saved", JSON.stringify(savedSnapshot(snapshot([one])))]], [planted])).toEqual([]);
});

const recorded = join(__dirname, "recorded");
const read = (file: string): Snapshot => JSON.parse(readFileSync(join(recorded, file), "utf8")) as Snapshot;
const files = readdirSync(recorded).filter((name) => name.endsWith(".json"));
const throughFile = (one: Snapshot): Snapshot => JSON.parse(JSON.stringify(savedSnapshot(one))) as Snapshot;

it.each(files)("the diagnosis of what was saved of %s is that of the cluster", (file) => {
  expect(diagnose(throughFile(read(file)))).toEqual(diagnose(read(file)));
});

it("who can be reached of what was saved are those of the cluster", () => {
  for (const file of files) {
    expect(reachableOf(throughFile(read(file)), new Map())).toEqual(reachableOf(read(file), new Map()));
  }
});

/**
 * Every place of an object that may be saved: the names of mappings behind each other, and those of their plain fields; "*" is a name
 * that users choose.
 */
const places = readFileSync(join(__dirname, "savedFields.txt"), "utf8")
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [mapping = "", fields = ""] = line.split(": ");
    const above = mapping.split(" ").filter((name) => name !== "");
    return fields.split(" ").map((field) => [...above, field]);
  });
const kinds = [...new Set([...managementKinds, ...workloadKinds].map(({ kind }) => kind))];

const isOnList = (path: readonly string[]): boolean =>
  places.some(
    (place) =>
      place.length === path.length && place.every((name, index) => name === path[index] || name === "*"),
  );

/** Adds a text at a path of an object, each part of it in a list or not. */
function withText(
  into: Record<string, unknown>,
  path: readonly string[],
  text: unknown,
  inLists: boolean,
): void {
  const [key = "", ...rest] = path;
  if (rest.length === 0) {
    into[key] = text;
    return;
  }
  const before = into[key];
  const [first] = Array.isArray(before) ? (before as unknown[]) : [before];
  const inner = typeof first === "object" && first !== null ? first : {};
  withText(inner as Record<string, unknown>, rest, text, inLists);
  into[key] = inLists ? [inner, inner] : inner;
}

const names = [...new Set(places.flat())];

const fieldName = fc.oneof(
  fc.constantFrom(
    "data",
    "stringData",
    "value",
    "env",
    "args",
    "token",
    "content",
    "userData",
    "*",
    "toString",
  ),
  fc.constantFrom(...names),
  fc.string({ minLength: 1, maxLength: 9 }),
);

/** A place of the list, or one that begins like one and goes on in another way. */
const somePlace = fc
  .tuple(fc.constantFrom(...places), fc.nat({ max: 6 }), fc.array(fieldName, { maxLength: 4 }))
  .map(([place, cut, more]) => [...place.slice(0, cut), ...more])
  .filter((path) => path.length > 0 && path[0] !== "kind" && !path.includes("__proto__"));

it("a text at a place that is not on the list is never saved, whatever else the object has", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.uniqueArray(somePlace, { maxLength: 12, selector: (path) => path.join(".") }),
      fc.boolean(),
      fc.boolean(),
      (kind, paths, inLists, ofList) => {
        const one: Record<string, unknown> = { kind };
        const texts = paths.map((path, index) => {
          const text = `x.${planted}-${index}-`;
          withText(one, path, ofList ? [text, { a: `${planted}-in-a-mapping` }] : text, inLists);
          return { path, text };
        });
        const saved = JSON.stringify(savedSnapshot(snapshot([one])));
        const others = texts.filter(({ path, text }) => saved.includes(text) && !isOnList(path));
        expect([others, saved.includes("in-a-mapping")]).toEqual([[], false]);
      },
    ),
    { numRuns: 3_000 },
  );
});

it("a text at each place of the list is saved, so that the list has no place too many", () => {
  const value = (place: readonly string[]): unknown =>
    ownValue<unknown>({ args: ["--bootstrap-token-ttl=1h"] }, place.at(-1) ?? "") ?? "something";
  const absent = places.filter((place) => {
    const one: Record<string, unknown> = { kind: "Pod" };
    if (place.join() !== "kind") {
      withText(one, place, value(place), false);
    }
    const [saved = {}] = savedSnapshot(snapshot([one])).workload.objects;
    return !/something|not kept|--bootstrap/.test(JSON.stringify(saved));
  });
  expect(absent).toEqual([["kind"]]);
});

it("of a bootstrap token only the ID is saved, of a certificate that there is one, of arguments one", () => {
  const all = [
    object("KubeadmConfig", {
      spec: { joinConfiguration: { discovery: { bootstrapToken: { token: `abcdef.${planted}` } } } },
    }),
    object("CertificateSigningRequest", { status: { certificate: planted } }),
    object("ValidatingWebhookConfiguration", {
      webhooks: [{ name: "a", clientConfig: { caBundle: planted, url: planted } }],
    }),
    object("Deployment", {
      spec: { template: { spec: { containers: [{ args: [planted, "--bootstrap-token-ttl=15m"] }] } } },
    }),
  ];
  const saved = savedSnapshot(snapshot(all));
  expect(JSON.stringify(saved)).not.toContain(planted);
  expect(saved.management.objects.slice(0, 1)).toMatchObject([
    { spec: { joinConfiguration: { discovery: { bootstrapToken: { token: "abcdef." } } } } },
  ]);
  expect(saved.workload.objects).toMatchObject([
    { status: { certificate: "(not kept)" } },
    { spec: { template: { spec: { containers: [{ args: ["--bootstrap-token-ttl=15m"] }] } } } },
  ]);
});

it("nothing but a problem's text is saved of what could not be read, and nothing beside the cluster's name", () => {
  const one = snapshot([]);
  const problem = {
    what: "other",
    asked: "Pod",
    message: `Bearer ${planted}`,
    body: planted,
    headers: { a: planted },
  };
  const saved = savedSnapshot({
    ...one,
    cluster: { ...one.cluster, token: planted } as Snapshot["cluster"],
    management: { objects: [], problems: [problem as never] },
    more: planted,
  } as Snapshot);
  expect(JSON.stringify(saved)).not.toContain(planted);
  expect(saved.management.problems).toMatchObject([{ what: "other", asked: "Pod" }]);
});
