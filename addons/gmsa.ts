import { gmsaWebhookName } from "capz-windows-platform/workloads/gmsaWebhook";
import { gmsaNamespace } from "capz-windows-platform/cluster/addonNamespaces";
import type { KubernetesObject } from "capz-types";
import { splitDocuments, toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { certificateObjects, certificateSecret, restricted } from "./gmsaCertificate";
import { disruptionBudget } from "./disruption";
import { controllerRollout, offControlPlane, onDifferentNodes } from "./linuxPods";
import { clusterRights, rule, serviceAccount } from "./rbac";
import { assertDefined } from "capz-windows-kit/assertDefined";
import type { components } from "capz-windows-platform/compatibility";
import { isPlaceholder, type PinnedManifest } from "./pinnedManifest";

/** Windows containers that sign in to Active Directory as group managed service accounts. */

/** The manifests of their CRD, by release. */
const pinned: Readonly<Record<string, Pick<PinnedManifest, "sha256" | "bytes">>> = {
  "v0.13.0": { sha256: "752d41d00cdc429dc6aa801e5878d545a78304f0b866625c8745b64d6e368bbd", bytes: 3_530 },
} satisfies Record<typeof components.gmsa.version, object>;

export const gmsaVersions = Object.keys(pinned);

export const gmsaCrdManifest = (version: string): PinnedManifest => ({
  name: "windows-gmsa-crd",
  version,
  url: `https://raw.githubusercontent.com/kubernetes-sigs/windows-gmsa/${version}/admission-webhook/deploy/gmsa-crd.yml`,
  ...assertDefined(pinned[version], `windows-gmsa ${version}`),
});

const gmsaWebhookImage = (version: string): string =>
  `registry.k8s.io/gmsa-webhook/k8s-gmsa-webhook:${version}`;

/**
 * The minor from which API servers read matchConditions by default (Kubernetes, feature AdmissionWebhookMatchConditions).
 * Older ones drop them, and every pod of the cluster would wait for the webhook.
 */
export const firstWithGmsa = 28;

export interface GmsaArgs {
  readonly version: string;
  /** Verified text of the CRD, or the placeholder of an offline plan (comments only). */
  readonly crdManifest: string;
  /** 2 where there are Linux nodes for both. */
  readonly replicas: number;
  /** Linux nodes beside the control plane. */
  readonly workers: number;
  readonly randomHostnames: boolean;
}

const name = "gmsa-webhook";
const namespace = gmsaNamespace;
const labels = { "k8s-app": name };
const metadata = { name, namespace, labels };
const port = 8443;

/** Everything of the add-on as one YAML stream: the CRD as published, and the webhook that fills in credential specs. */
export function gmsaResources(args: GmsaArgs): string {
  const webhook = webhookObjects(args);
  const stream = toYamlStream([
    ...webhook,
    ...certificateObjects(name, webhook, offControlPlane(args.replicas, args.workers)),
  ]);
  // A placeholder stands as comments before the next document: as a document it would be null to who reads them.
  return isPlaceholder(args.crdManifest)
    ? `${args.crdManifest.trimEnd()}\n${stream}`
    : [...splitDocuments(args.crdManifest), stream].join("---\n");
}

const webhookObjects = (args: GmsaArgs): KubernetesObject[] => [
  {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
  },
  serviceAccount(name, namespace),
  // The webhook runs a SubjectAccessReview: the pod's service account needs the verb use on the spec.
  ...clusterRights(
    name,
    name,
    [
      rule("windows.k8s.io", ["gmsacredentialspecs"], "get"),
      rule("authorization.k8s.io", ["localsubjectaccessreviews"], "create"),
    ],
    namespace,
  ),
  deployment(args),
  disruptionBudget(name, labels, namespace),
  {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { selector: labels, ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: "https" }] },
  },
  configuration("MutatingWebhookConfiguration", "/mutate", ["CREATE"]),
  configuration("ValidatingWebhookConfiguration", "/validate", ["CREATE", "UPDATE"]),
];

function deployment({ version, replicas, workers, randomHostnames }: GmsaArgs): KubernetesObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      strategy: controllerRollout(replicas),
      template: {
        metadata: { labels },
        spec: {
          ...restricted.pod,
          serviceAccountName: name,
          priorityClassName: "system-cluster-critical",
          ...offControlPlane(replicas, workers),
          ...onDifferentNodes(replicas, labels),
          containers: [
            {
              name,
              image: gmsaWebhookImage(version),
              // It sees the first renewal of the Secret only (kubernetes-sigs/windows-gmsa#176): whoever renews restarts the pods.
              args: ["--cert-reload=true"],
              env: [
                { name: "TLS_CRT", value: "/tls/tls.crt" },
                { name: "TLS_KEY", value: "/tls/tls.key" },
                // Above 1024, so that the process needs no rights.
                { name: "HTTPS_PORT", value: String(port) },
                { name: "RANDOM_HOSTNAME", value: String(randomHostnames) },
              ],
              ports: [{ name: "https", containerPort: port, protocol: "TCP" }],
              readinessProbe: { httpGet: { path: "/health", port: "https", scheme: "HTTPS" } },
              livenessProbe: {
                httpGet: { path: "/health", port: "https", scheme: "HTTPS" },
                periodSeconds: 30,
                timeoutSeconds: 5,
              },
              resources: { requests: { cpu: "20m", memory: "30Mi" }, limits: { memory: "200Mi" } },
              securityContext: restricted.container,
              volumeMounts: [{ name: "tls", mountPath: "/tls", readOnly: true }],
            },
          ],
          // The pod waits for the Secret, which the Job makes.
          volumes: [{ name: "tls", secret: { secretName: certificateSecret } }],
        },
      },
    },
  };
}

/** CEL: whether a pod or container asks for an account, by name or with the contents of a credential spec. */
const asks = (holder: string): string => {
  const options = `${holder}.securityContext.windowsOptions`;
  const fields = ["gmsaCredentialSpecName", "gmsaCredentialSpec"].map((field) => `has(${options}.${field})`);
  return `(has(${holder}.securityContext) && has(${options}) && (${fields.join(" || ")}))`;
};

/**
 * Upstream sends every pod of the cluster through the webhook, and no pod starts while it is down. With these conditions
 * it sees pods with a gMSA alone, in every namespace, and nothing else waits for it.
 */
const configuration = (kind: string, path: string, operations: readonly string[]): KubernetesObject => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind,
  metadata: { name },
  webhooks: [
    {
      name: gmsaWebhookName,
      // The Job adds caBundle.
      clientConfig: { service: { name, namespace, path, port: 443 } },
      rules: [{ operations, apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
      matchConditions: [
        {
          name: "has-gmsa",
          expression: `${asks("object.spec")} || object.spec.containers.exists(c, ${asks("c")})`,
        },
      ],
      // A pod that the webhook has not seen would run without its account, or with one that it may not use.
      failurePolicy: "Fail",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 10,
    },
  ],
});
