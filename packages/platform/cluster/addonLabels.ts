import type { Platform } from "./platform";

/**
 * Labels with which the ClusterResourceSets select the Cluster. The values contain its name, so that two clusters in
 * one namespace do not receive each other's add-ons. With the users' own CNI they are the same as with Calico: the
 * label of a cluster cannot change, but its CNI can.
 */
export function addonLabels(clusterName: string, { cni }: Platform) {
  const name = `${clusterName}-${cni === "flannel" ? "flannel" : "calico"}`;
  return {
    cni: { cni: name },
    cniWindows: { "cni-windows": name },
    cloudProvider: { "cloud-provider": `${clusterName}-azure` },
  };
}
