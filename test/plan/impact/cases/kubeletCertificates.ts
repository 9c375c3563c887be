import type { Case } from "../plans";

const commands = [
  "kubectl --kubeconfig workload.kubeconfig get csr   # one Approved,Issued of kubernetes.io/kubelet-serving for each node",
];

/** Stages of the serving certificates of kubelets: issued, verified, and both at once. */
export const kubeletCertificateCases: readonly Case[] = [
  {
    rule: "kubelet-certificates",
    severity: "changes",
    to: "issued",
    what: "New machines ask the cluster's CA for certificates of their kubelets; those that run keep their own",
    instead:
      "when the control plane has rolled, replace the nodes of all pools, and then set kubeletCertificates: verified",
    commands,
  },
];
