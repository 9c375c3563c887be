import Ajv, { type ValidateFunction } from "ajv";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "capz-types";
import { calicoResources } from "../../addons/calico";
import { calicoImages, calicoImageSet, imagesOfOperator } from "../../addons/calicoImages";
import { calicoOperatorManifest, calicoVersions } from "../../addons/calicoReleases";
import { packResources } from "../../components/clusterResourceSet/manifests";
import { cacheFileName, verifyManifest } from "../../addons/pinnedManifest";
import { toleratesCordon } from "../support/tolerations";
import { cachedFile, calicoArgs as args, containerOf, find, objectsOf, titles, workload } from "./fixtures";

interface Installation extends KubernetesObject {
  spec: { calicoNetwork: { bgp: string } };
}

describe.each(calicoVersions)("with the published manifest of %s", (version) => {
  const pinned = calicoOperatorManifest(version);
  const text = cachedFile(cacheFileName(pinned), `changes of the published Calico ${version}`);
  const whenCached = text === undefined ? it.skip : it;

  whenCached("only namespace, DNS policy, tolerations and the choice of nodes change", () => {
    const manifest = verifyManifest(pinned, text!);
    expect(Buffer.byteLength(manifest)).toBe(pinned.bytes);
    const published = objectsOf(manifest);
    const delivered = objectsOf(calicoResources({ ...args, operatorManifest: manifest }));
    expect(titles(delivered)).toEqual([
      "Namespace tigera-operator",
      "ConfigMap kubernetes-services-endpoint",
      ...titles(published).slice(1),
      "IPAMConfig default",
      "Installation default",
      "APIServer default",
    ]);
    const patched = workload(delivered, "Deployment", "tigera-operator");
    expect(patched.spec.template.spec.dnsPolicy).toBe("Default");
    patched.spec.template.spec.dnsPolicy = "ClusterFirstWithHostNet";
    expect(published.filter((object) => toleratesCordon(object).length > 0)).toHaveLength(1);
    expect(delivered.filter((object) => toleratesCordon(object).length > 0)).toEqual([]);
    patched.spec.template.spec.tolerations = [
      { effect: "NoExecute", operator: "Exists" },
      { effect: "NoSchedule", operator: "Exists" },
    ];
    expect(patched.spec.template.spec.nodeSelector).toEqual({
      "kubernetes.io/os": "linux",
      "node-role.kubernetes.io/control-plane": "",
    });
    Object.assign(patched.spec.template.spec, { nodeSelector: { "kubernetes.io/os": "linux" } });
    expect([delivered[0], ...delivered.slice(2, -3)]).toEqual(published);
    // This operator reads the ConfigMap that is delivered first.
    const container = containerOf(patched);
    expect(imagesOfOperator(manifest, published)).toEqual(calicoImages(version));
    expect(container.envFrom).toContainEqual({
      configMapRef: { name: "kubernetes-services-endpoint", optional: true },
    });
    expect(container.args).toContain("-manage-crds=true");
  });

  whenCached("the stream fits one small ConfigMap and every namespaced object has its namespace", () => {
    const { configMaps } = packResources({
      name: "demo-calico",
      namespace: "demo",
      clusterSelector: { cni: "demo" },
      entries: [{ key: "calico", yaml: calicoResources({ ...args, operatorManifest: text! }) }],
    });
    expect(configMaps).toHaveLength(1);
    expect(JSON.stringify(configMaps).length).toBeLessThan(40_000);
    expect(JSON.stringify(configMaps)).not.toContain("${");
  });
});

interface CustomResourceDefinition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Record<string, unknown> } }[];
  };
}

/** A schema that refuses unknown fields, like strict validation of the API server. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const fields = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in fields && !("additionalProperties" in fields)
    ? { ...fields, additionalProperties: false }
    : fields;
}

/** In Go, "ignore case" is part of the pattern; in JavaScript it is a flag. */
const goRegExp = Object.assign(
  (pattern: string, flags: string) =>
    new RegExp(pattern.replace("(?i)", ""), pattern.includes("(?i)") ? `${flags}i` : flags),
  { code: "goRegExp" },
);

describe("Calico's custom resources and the CRDs of v3.31.7", () => {
  const text = cachedFile("operator-crds-v3.31.7.yaml", "Calico's custom resources against their CRDs");
  const whenCached = text === undefined ? it.skip : it;

  whenCached("agree", () => {
    const crds = parseAllDocuments(text!).map(
      (document) => document.toJS() as CustomResourceDefinition | null,
    );
    const ajv = new Ajv({ strict: false, validateFormats: false, code: { regExp: goRegExp } });
    const custom = objectsOf(
      calicoResources({
        ...{ ...args, severalInterfaces: true },
        azureMetadata: { blocked: true, allowedNamespaces: ["monitoring"] },
        imageSet: calicoImageSet(
          "v3.31.7",
          Object.fromEntries(calicoImages("v3.31.7").map((image) => [image, `sha256:${"a".repeat(64)}`])),
        ),
      }),
    ).slice(-6);
    expect(titles(custom)).toEqual([
      "IPAMConfig default",
      "ImageSet calico-v3.31.7",
      "Installation default",
      "APIServer default",
      "Tier capz-windows",
      "GlobalNetworkPolicy capz-windows.azure-metadata",
    ]);
    const validators = new Map<string, ValidateFunction>();
    for (const { apiVersion, kind } of custom) {
      const crd = crds.find((one) => one?.spec.names.kind === kind);
      const version = crd?.spec.versions.find(({ name }) => apiVersion === `${crd.spec.group}/${name}`);
      validators.set(kind, ajv.compile(closed(version!.schema.openAPIV3Schema) as object));
    }
    const problems = (object: KubernetesObject) => {
      const validate = validators.get(object.kind)!;
      return validate(object) ? [] : validate.errors;
    };
    for (const object of custom) expect(problems(object)).toEqual([]);
    // The check itself can fail: it reports a wrong value and an unknown field.
    const installation = find(custom, "Installation", "default") as Installation;
    const { spec } = installation;
    expect(
      problems({
        ...installation,
        spec: { ...spec, calicoNetwork: { ...spec.calicoNetwork, bgp: "disabled" } },
      }),
    ).toMatchObject([{ instancePath: "/spec/calicoNetwork/bgp", keyword: "enum" }]);
    expect(problems({ ...installation, spec: { ...spec, servicecidrs: [] } })).toMatchObject([
      { instancePath: "/spec", keyword: "additionalProperties" },
    ]);
  });
});
