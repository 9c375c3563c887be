/** A separate namespace, because Secrets created in kube-system can be tokens for accounts of controllers there. */
export const gmsaNamespace = "gmsa-webhook";

/** Namespaces of the workload cluster in which add-ons live, sorted. */
export const addonNamespaces: readonly string[] = [
  "calico-apiserver",
  "calico-system",
  gmsaNamespace,
  "kube-node-lease",
  "kube-public",
  "kube-system",
  "tigera-operator",
];
