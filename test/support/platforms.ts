import type { NodePlatform } from "../../bootstrap/linux";
import type { Flavor } from "capz-windows-platform/cluster/platform";
import { platformOf } from "capz-windows-platform/cluster/platform";

/** The platform for the bootstrap data of a cluster whose nodes all have the cluster's version. */
export const nodePlatform = (flavor: Flavor, kubernetesVersion: string): NodePlatform => ({
  platform: platformOf(flavor, kubernetesVersion),
  kubernetesVersion,
  mtu: 1400,
});

/** The platform of a current cluster. */
export const today = nodePlatform("containerd", "v1.35.6");
export const dockershim = nodePlatform("dockershim", "v1.22.9");
