import { parseAllDocuments } from "yaml";
import { gmsaResources } from "../../addons/gmsa";
import type { KubernetesObject } from "../../capi/types";
import { at, list } from "../../tools/untyped";

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gmsacredentialspecs.windows.k8s.io
`;
const args = {
  version: "v0.13.0",
  crdManifest: crd,
  replicas: 2,
  workers: 0,
  randomHostnames: true,
} as const;
const parsed = (stream: string) =>
  parseAllDocuments(stream).map((document) => document.toJS() as KubernetesObject);
const objects = parsed(gmsaResources(args));
const of = (kind: string) => objects.filter((object) => object.kind === kind);
const podOf = (object: unknown) => at(object, "spec", "template", "spec");

it("delivers the CRD as it was published, before everything else", () => {
  expect(gmsaResources(args).startsWith(crd)).toBe(true);
  expect(objects.map(({ kind }) => kind).slice(0, 2)).toEqual(["CustomResourceDefinition", "Namespace"]);
});

it("has a placeholder for the CRD in an offline plan, and delivers the rest", () => {
  const offline = gmsaResources({ ...args, crdManifest: "# windows-gmsa-crd v0.13.0: not in this plan\n" });
  expect(
    offline.startsWith("# windows-gmsa-crd v0.13.0: not in this plan\napiVersion: v1\nkind: Namespace"),
  ).toBe(true);
  expect(parsed(offline)).toEqual(objects.slice(1));
});

it("contains no certificate and no key, because they are created in the cluster", () => {
  expect(of("Secret")).toEqual([]);
  expect(gmsaResources(args)).not.toMatch(/caBundle|PRIVATE KEY|CERTIFICATE/);
});

describe("the certificate", () => {
  const [job] = of("Job");

  it("has its own Job for each change, because a change removes the authority from the webhooks", () => {
    const other = parsed(gmsaResources({ ...args, randomHostnames: false })).find(
      ({ kind }) => kind === "Job",
    );
    expect(job?.metadata.name).toMatch(/^gmsa-certificate-[0-9a-z]{8,}$/);
    expect(other?.metadata.name).not.toBe(job?.metadata.name);
    expect(parsed(gmsaResources(args)).find(({ kind }) => kind === "Job")).toEqual(job);
  });

  it("is created with rights to its own Secret and its own webhooks only", () => {
    const rulesOf = (kind: string, name: string) =>
      of(kind).find(({ metadata }) => metadata.name === name)?.rules;
    expect(rulesOf("Role", "gmsa-certificate")).toEqual([
      { apiGroups: [""], resources: ["secrets"], verbs: ["create"] },
      { apiGroups: [""], resources: ["secrets"], verbs: ["get"], resourceNames: ["gmsa-webhook-tls"] },
    ]);
    expect(rulesOf("ClusterRole", "gmsa-certificate")).toEqual([
      {
        apiGroups: ["admissionregistration.k8s.io"],
        resources: ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
        verbs: ["get", "update"],
        resourceNames: ["gmsa-webhook"],
      },
    ]);
    // Whoever may create Secrets in kube-system can create tokens of the controllers there.
    const places = of("Role").map(({ metadata }) => metadata.namespace);
    expect(places).toEqual(["gmsa-webhook"]);
  });
});

it("gives pods random hostnames where that is wanted", () => {
  const env = list(at(podOf(of("Deployment")[0]), "containers"))[0]?.env;
  expect(env).toContainEqual({ name: "RANDOM_HOSTNAME", value: "true" });
});
