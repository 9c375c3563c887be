import { components } from "capz-windows-platform/compatibility";
import { gmsaNamespace as namespace } from "capz-windows-platform/cluster/addonNamespaces";
import { contentHash } from "../capi/contentHash";
import type { KubernetesObject } from "capz-types";
import type { offControlPlane } from "./linuxPods";
import { clusterRights, namespaceRights, rule, serviceAccount } from "./rbac";

/**
 * The certificate of the gMSA webhook. It is made in the cluster, so that its private key is in no state and in no
 * management cluster.
 */

export const certificateSecret = "gmsa-webhook-tls";
const name = "gmsa-certificate";

/** Tags have no leading v. */
const webhookCertgenImage = `ghcr.io/jkroepke/kube-webhook-certgen:${components.webhookCertgen.version}`;

/** What the pod security standard `restricted` requires, and the operating system, which some policies require. */
export const restricted = {
  pod: {
    os: { name: "linux" },
    nodeSelector: { "kubernetes.io/os": "linux" },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65_532,
      runAsGroup: 65_532,
      seccompProfile: { type: "RuntimeDefault" },
    },
  },
  container: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  },
} as const;

/**
 * A Job that creates the certificate if it is missing and writes its CA into the webhook configuration, and a CronJob that
 * repeats this daily.
 *
 * When the ClusterResourceSet applies a change, its merge patch replaces the list of webhooks and removes their caBundle.
 * The name of the Job therefore contains a hash of the objects, so that each change runs a Job. The CronJob restores the
 * caBundle if something else overwrites it; its template also serves to renew the certificate.
 */
export function certificateObjects(
  webhook: string,
  others: readonly KubernetesObject[],
  place: ReturnType<typeof offControlPlane>,
): KubernetesObject[] {
  const template = podTemplate(webhook, place);
  return [
    serviceAccount(name, namespace),
    ...namespaceRights(
      name,
      name,
      [
        // RBAC cannot name what does not exist yet; the namespace has no other Secrets.
        rule("", ["secrets"], "create"),
        { ...rule("", ["secrets"], "get"), resourceNames: [certificateSecret] },
      ],
      namespace,
      namespace,
    ),
    ...clusterRights(
      name,
      name,
      [
        {
          ...rule(
            "admissionregistration.k8s.io",
            ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"],
            "get",
            "update",
          ),
          resourceNames: [webhook],
        },
      ],
      namespace,
    ),
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: `${name}-${contentHash([others, template])}`, namespace },
      spec: {
        // A new cluster has no nodes yet, and the first tries may find no network.
        backoffLimit: 20,
        // A deleted Job is recreated the next time the set is applied.
        ttlSecondsAfterFinished: 600,
        template,
      },
    },
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name, namespace },
      spec: {
        schedule: "17 3 * * *",
        concurrencyPolicy: "Forbid",
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 1,
        jobTemplate: { spec: { backoffLimit: 3, template } },
      },
    },
  ];
}

function podTemplate(webhook: string, place: ReturnType<typeof offControlPlane>) {
  const container = (step: string, args: readonly string[]) => ({
    name: step,
    image: webhookCertgenImage,
    args: [
      step,
      `--namespace=${namespace}`,
      `--secret-name=${certificateSecret}`,
      "--ca-name=ca.crt",
      ...args,
    ],
    resources: { requests: { cpu: "10m", memory: "20Mi" }, limits: { memory: "100Mi" } },
    securityContext: restricted.container,
  });
  return {
    metadata: { labels: { "k8s-app": name } },
    spec: {
      ...restricted.pod,
      serviceAccountName: name,
      restartPolicy: "OnFailure",
      ...place,
      initContainers: [
        container("create", [
          `--host=${webhook}.${namespace}.svc`,
          "--secret-type=kubernetes.io/tls",
          "--cert-name=tls.crt",
          "--key-name=tls.key",
        ]),
      ],
      containers: [container("patch", [`--webhook-name=${webhook}`])],
    },
  };
}
