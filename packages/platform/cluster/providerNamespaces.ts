/** Namespaces of Cluster API, CAPZ and what they need, as the program installs them. */
export const providerNamespaces = [
  ...["capi-operator-system", "capi-system", "capi-kubeadm-bootstrap-system"],
  ...["capi-kubeadm-control-plane-system", "capz-system", "cert-manager"],
] as const;

/** Namespaces of the workload cluster with add-ons that every cluster needs. */
export const systemNamespaces = ["kube-system", "calico-system", "tigera-operator"] as const;
