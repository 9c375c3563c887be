/** Namespaces of the workload cluster in which add-ons live, sorted. */
export const addonNamespaces: readonly string[] = [
  "calico-apiserver",
  "calico-system",
  "kube-node-lease",
  "kube-public",
  "kube-system",
  "tigera-operator",
];
