import type { KubernetesObject } from "capz-types";
import type { ServingCertificates } from "capz-windows-platform/cluster/kubeletCertificates";
import { components } from "capz-windows-platform/compatibility";
import { disruptionBudget } from "./disruption";
import { hostPortRollout, onDifferentNodes, tolerateControlPlane } from "./linuxPods";
import { clusterRights, namespaceRights, read, rule, serviceAccount } from "./rbac";

const image = `ghcr.io/postfinance/kubelet-csr-approver:${components.kubeletCsrApprover.version}`;

export interface KubeletCsrApproverArgs extends Omit<ServingCertificates, "verified"> {
  /** 2 if there is more than one control plane machine. */
  readonly replicas: number;
}

const name = "kubelet-csr-approver";
const labels = { "k8s-app": name };

/** Of the node, on its loopback address only; no other component of a control plane machine has it. */
const healthPort = 10_270;

/** A year, for which kube-controller-manager signs by default (--cluster-signing-duration). */
const longestSeconds = 365 * 24 * 3600;

const certificates = "certificates.k8s.io";

/** Reads requests, and approves those of one signer. Nothing else may be changed by it but its own lease. */
const access = (): KubernetesObject[] => [
  serviceAccount(name),
  ...clusterRights(name, name, [
    rule(certificates, ["certificatesigningrequests"], ...read),
    rule(certificates, ["certificatesigningrequests/approval"], "update"),
    {
      ...rule(certificates, ["signers"], "approve"),
      resourceNames: ["kubernetes.io/kubelet-serving"],
    },
  ]),
  // The name of what is created is not known to the authorizer, hence two rules.
  ...namespaceRights(name, name, [
    rule("coordination.k8s.io", ["leases"], "create"),
    { ...rule("coordination.k8s.io", ["leases"], "get", "update"), resourceNames: [name] },
  ]),
];

/**
 * Approves the serving certificates for which kubelets ask: kube-controller-manager signs them, but approves none. A name must
 * be the one with which the kubelet has logged in and be a name of a machine of the cluster, and addresses must be in its
 * subnets. It denies the others; kubelet then asks again.
 */
export function kubeletCsrApproverObjects(args: KubeletCsrApproverArgs): KubernetesObject[] {
  return [...access(), deployment(args), disruptionBudget(name, labels)];
}

function deployment({ replicas, nodeNames, nodeRanges }: KubeletCsrApproverArgs): KubernetesObject {
  const probe = { host: "127.0.0.1", path: "/healthz", port: healthPort };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "kube-system", labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      strategy: hostPortRollout,
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          priorityClassName: "system-cluster-critical",
          // Without a network of pods, too: `kubectl logs` and Cluster API's look at etcd go through kubelets.
          hostNetwork: true,
          nodeSelector: { [tolerateControlPlane.key]: "" },
          tolerations: [
            tolerateControlPlane,
            { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoSchedule" },
          ],
          ...onDifferentNodes(replicas, labels),
          containers: [
            {
              name,
              image,
              args: [
                `--provider-regex=${nodeNames}`,
                `--provider-ip-prefixes=${nodeRanges.join(",")}`,
                `--max-expiration-sec=${longestSeconds}`,
                // Names of machines are known to Azure's DNS only, which a VNET need not use.
                "--bypass-dns-resolution=true",
                "--leader-election=true",
                "--metrics-bind-address=0",
                `--health-probe-bind-address=127.0.0.1:${healthPort}`,
              ],
              livenessProbe: { httpGet: probe, initialDelaySeconds: 10, periodSeconds: 10 },
              resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "128Mi" } },
              securityContext: {
                readOnlyRootFilesystem: true,
                runAsNonRoot: true,
                runAsUser: 65_532,
                allowPrivilegeEscalation: false,
                seccompProfile: { type: "RuntimeDefault" },
                capabilities: { drop: ["ALL"] },
              },
            },
          ],
        },
      },
    },
  };
}
