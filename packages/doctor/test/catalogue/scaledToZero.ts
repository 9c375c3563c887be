import type { Side } from "capz-windows-doctor/cluster/snapshot";
import type { Patient } from "../patient";
import type { Scene } from "../scenes";

/** Deployments without replicas, about which nothing complains. */

function atZero(p: Patient, side: Side, namespace: string, name: string): void {
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
  side: Side,
  rule: string,
  deployments: readonly (readonly [namespace: string, name: string])[],
): Scene[] =>
  deployments.map(([namespace, name]) => ({
    name: `${name} has no replicas`,
    rule,
    make: (p) => {
      atZero(p, side, namespace, name);
    },
  }));

export const scaledToZero: readonly Scene[] = [
  ...scaled("management", "provider-scaled-to-zero", [
    ["capz-system", "capz-controller-manager"],
    ["capz-system", "azureserviceoperator-controller-manager"],
    ["capi-system", "capi-controller-manager"],
    ["cert-manager", "cert-manager-webhook"],
    ["capi-operator-system", "capi-operator-cluster-api-operator"],
    ["cert-manager", "cert-manager"],
  ]),
  ...scaled("workload", "add-on-scaled-to-zero", [
    ["kube-system", "cloud-controller-manager"],
    ["tigera-operator", "tigera-operator"],
    ["kube-system", "coredns"],
    ["kube-system", "csi-azuredisk-controller"],
    ["calico-system", "calico-kube-controllers"],
  ]),
];
