import type { Settings } from "../settings";

/** Ranges that the network of a stack meets. */

/** Address range of the VNET that AKS creates for the management cluster. */
export const aksVnetCidr = "10.224.0.0/12";

/** Range of the overlay network that create-external-network.ps1 creates on every Windows host with Flannel. */
export const flannelHostCidr = "192.168.255.0/30";

/** Ranges that Azure does not allow in a VNET (Microsoft, "Virtual network FAQ"). */
export const reservedCidrs = ["224.0.0.0/4", "127.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32"];

/** Shortest and longest prefix of each range; the rules say why. */
export const prefixes: Readonly<
  Record<"vnetCidr" | "podCidr" | "serviceCidr", readonly [from: number, to: number]>
> = {
  vnetCidr: [8, 27],
  podCidr: [8, 24],
  serviceCidr: [12, 28],
};

/** The subnets of a stack, each with its key; without that of a Bastion. */
export const subnetsOf = ({ network }: Settings): (readonly [key: string, cidr: string])[] => [
  ["network.controlPlaneSubnetCidr", network.controlPlaneSubnetCidr],
  ["network.nodeSubnetCidr", network.nodeSubnetCidr],
  ...Object.entries(network.poolSubnets).map(
    ([name, cidr]) => [`network.poolSubnets.${name}`, cidr] as const,
  ),
];

/** Range of the VNET of the AKS management cluster, where it is known. */
export function managementVnetCidrs({ management }: Pick<Settings, "management">): string[] {
  if (management.kind !== "aks") {
    return [];
  }
  if (management.network === undefined) {
    return [aksVnetCidr];
  }
  const { vnetCidr } = management.network;
  return vnetCidr === undefined ? [] : [vnetCidr];
}
