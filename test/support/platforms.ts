import type { NodePlatform } from "../../domain/bootstrap/linux";
import type { Flavor } from "../../domain/cluster/platform";
import { platformOf } from "../../domain/cluster/platform";

/** What bootstrap data needs to know of a cluster whose nodes all have its own version. */
export const nodePlatform = (flavor: Flavor, kubernetesVersion: string): NodePlatform => ({
  platform: platformOf(flavor, kubernetesVersion),
  kubernetesVersion,
  mtu: 1400,
});

/** Of a cluster as it is made today. */
export const today = nodePlatform("containerd", "v1.35.6");
export const dockershim = nodePlatform("dockershim", "v1.22.9");
