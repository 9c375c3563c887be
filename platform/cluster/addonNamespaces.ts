import { gmsaNamespace } from "../addons/gmsa";

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
