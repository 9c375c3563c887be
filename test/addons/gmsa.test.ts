import { parseAllDocuments } from "yaml";
import { gmsaResources } from "../../addons/gmsa";
import type { KubernetesObject } from "capz-types";
import { at, list } from "capz-windows-kit/untyped";

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

describe("the webhooks", () => {
  const webhooks = [...of("MutatingWebhookConfiguration"), ...of("ValidatingWebhookConfiguration")].map(
    ({ webhooks: each }) => list(each)[0],
  );

  it("mutate and validate pods with a gMSA, and none is admitted without them", () => {
    expect(webhooks).toMatchObject([
      {
        failurePolicy: "Fail",
        clientConfig: { service: { path: "/mutate" } },
        rules: [{ operations: ["CREATE"] }],
      },
      {
        failurePolicy: "Fail",
        clientConfig: { service: { path: "/validate" } },
        rules: [{ operations: ["CREATE", "UPDATE"] }],
      },
    ]);
  });

  it("are not called for any other pod, so that no other pod depends on them", () => {
    const expressions = webhooks.map((webhook) =>
      list(at(webhook, "matchConditions")).map(({ expression }) => expression),
    );
    expect(expressions).toEqual(
      [1, 2].map(() => [
        "(has(object.spec.securityContext) && has(object.spec.securityContext.windowsOptions) && (has(object.spec.securityContext.windowsOptions.gmsaCredentialSpecName) || has(object.spec.securityContext.windowsOptions.gmsaCredentialSpec))) || object.spec.containers.exists(c, (has(c.securityContext) && has(c.securityContext.windowsOptions) && (has(c.securityContext.windowsOptions.gmsaCredentialSpecName) || has(c.securityContext.windowsOptions.gmsaCredentialSpec))))",
      ]),
    );
  });
});

describe("the certificate", () => {
  const [job] = of("Job");
  const [cronJob] = of("CronJob");

  it("is created if there is none, and its authority is written into the webhooks", () => {
    expect(list(at(podOf(job), "initContainers"))[0]?.args).toEqual([
      "create",
      "--namespace=gmsa-webhook",
      "--secret-name=gmsa-webhook-tls",
      "--ca-name=ca.crt",
      "--host=gmsa-webhook.gmsa-webhook.svc",
      "--secret-type=kubernetes.io/tls",
      "--cert-name=tls.crt",
      "--key-name=tls.key",
    ]);
    expect(list(at(podOf(job), "containers"))[0]?.args).toEqual([
      "patch",
      "--namespace=gmsa-webhook",
      "--secret-name=gmsa-webhook-tls",
      "--ca-name=ca.crt",
      "--webhook-name=gmsa-webhook",
    ]);
    expect(podOf(at(cronJob, "spec", "jobTemplate"))).toEqual(podOf(job));
  });

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

it("meets the pod security standard restricted, which its namespace enforces", () => {
  expect(of("Namespace")[0]?.metadata.labels).toEqual({ "pod-security.kubernetes.io/enforce": "restricted" });
  for (const pod of [podOf(of("Deployment")[0]), podOf(of("Job")[0])]) {
    expect(pod).toMatchObject({
      os: { name: "linux" },
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const container of [...list(at(pod, "initContainers")), ...list(at(pod, "containers"))]) {
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
    }
  }
});

it("gives pods random hostnames where that is wanted", () => {
  const env = list(at(podOf(of("Deployment")[0]), "containers"))[0]?.env;
  expect(env).toContainEqual({ name: "RANDOM_HOSTNAME", value: "true" });
});
