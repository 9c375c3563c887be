import type { Platform } from "./platform";

/**
 * Labels with which the ClusterResourceSets select the Cluster. The values contain its name, so that two clusters in
 * one namespace do not receive each other's add-ons. With a CNI of the users' they stay as they are with Calico: the
 * label of a cluster cannot change, and the CNI can.
 */
export function addonLabels(clusterName: string, { cni }: Platform) {
  const name = `${clusterName}-${cni === "flannel" ? "flannel" : "calico"}`;
  return {
    cni: { cni: name },
    cniWindows: { "cni-windows": name },
    cloudProvider: { "cloud-provider": `${clusterName}-azure` },
  };
}
