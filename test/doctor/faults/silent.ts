import type { Patient } from "../patient";
import type { Fault } from "./fault";

/** Faults about which nothing complains, or about which only a part says something wrong. */

function atZero(p: Patient, side: "management" | "workload", namespace: string, name: string): void {
  const known = p
    .all("Deployment", side)
    .find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  const deployment =
    known ?? p.add(side, { kind: "Deployment", apiVersion: "apps/v1", metadata: { name, namespace } });
  deployment.spec = { replicas: 0 };
  deployment.status = {};
  p.condition(deployment, "Available", { status: "True", reason: "MinimumReplicasAvailable", ago: 900 });
  p.remove(side, ({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith(name));
}

const scaled = (
  side: "management" | "workload",
  rule: string,
  deployments: readonly (readonly [namespace: string, name: string])[],
): Fault[] =>
  deployments.map(([namespace, name]) => ({
    name: `${name} has no replicas`,
    rule,
    make: (p) => {
      atZero(p, side, namespace, name);
    },
  }));

/** A provider that the operator has tried to install for half an hour. */
function notInstalled(p: Patient, message: string): void {
  const provider = p.add("management", {
    kind: "InfrastructureProvider",
    apiVersion: "operator.cluster.x-k8s.io/v1alpha2",
    metadata: { name: "azure", namespace: "capz-system" },
  });
  for (const type of ["ProviderInstalled", "Ready"]) {
    p.condition(provider, type, { reason: "InstallFailed", message, ago: 25 });
  }
}

const issuer =
  'failed to create provider object: Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s"';

export const silent: readonly Fault[] = [
  ...scaled("management", "provider-scaled-to-zero", [
    ["capz-system", "capz-controller-manager"],
    ["capz-system", "azureserviceoperator-controller-manager"],
    ["capi-system", "capi-controller-manager"],
    ["capi-kubeadm-bootstrap-system", "capi-kubeadm-bootstrap-controller-manager"],
    ["capi-kubeadm-control-plane-system", "capi-kubeadm-control-plane-controller-manager"],
    ["cert-manager", "cert-manager-webhook"],
  ]),
  ...scaled("management", "installer-scaled-to-zero", [
    ["capi-operator-system", "capi-operator-cluster-api-operator"],
    ["cert-manager", "cert-manager"],
    ["cert-manager", "cert-manager-cainjector"],
  ]),
  ...scaled("workload", "add-on-scaled-to-zero", [
    ["kube-system", "cloud-controller-manager"],
    ["tigera-operator", "tigera-operator"],
  ]),
  ...scaled("workload", "service-scaled-to-zero", [
    ["kube-system", "coredns"],
    ["kube-system", "csi-azuredisk-controller"],
    ["calico-system", "calico-kube-controllers"],
  ]),

  {
    name: "the webhook of cert-manager does not answer",
    rule: "cert-manager-webhook",
    make: (p) => {
      notInstalled(p, `${issuer}: dial tcp 10.0.0.7:443: i/o timeout`);
    },
  },
  {
    name: "another name",
    rule: "no-cluster",
    make: (p) => (p.cluster = { name: "other", namespace: "other" }),
  },
];
