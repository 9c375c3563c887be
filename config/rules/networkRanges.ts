import { contains, mustParseCidr, overlaps } from "capz-windows-platform/network/addressing";
import type { Problem } from "capz-windows-kit/problem";
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

/** Azure's smallest subnet. */
export const longestSubnet = 29;

/** Why a subnet of the VNET cannot have a range. */
export function subnetFault(
  { network: { vnetCidr } }: Settings,
  cidr: string,
  others: readonly (readonly [key: string, cidr: string])[],
  longest = longestSubnet,
): Pick<Problem, "problem" | "allowed"> | undefined {
  const [vnet, subnet] = [mustParseCidr(vnetCidr), mustParseCidr(cidr)];
  // In a VNET that is too small, nothing is right.
  if (vnet.prefix <= prefixes.vnetCidr[1] && !contains(vnet, subnet)) {
    return {
      problem: `not inside the VNET ${vnetCidr} (network.vnetCidr)`,
      allowed: `a part of ${vnetCidr}`,
    };
  }
  if (subnet.prefix > longest) {
    return {
      problem: `Azure does not allow this subnet to be smaller than /${longest}`,
      allowed: `a prefix length of at most ${longest}`,
    };
  }
  const met = others.find(([, other]) => overlaps(mustParseCidr(other), subnet));
  return met && { problem: `overlaps ${met[1]} (${met[0]})`, allowed: "a range that no other subnet has" };
}

/** What others have made, where Azure attaches it to nothing of the stack. */
export const elsewhere = (
  { azure: { subscriptionId } }: Pick<Settings, "azure">,
  path: string,
  id: string | undefined,
  uses: readonly string[],
): Problem | false =>
  id !== undefined &&
  id.split("/")[2]?.toLowerCase() !== subscriptionId.toLowerCase() && {
    path,
    value: id,
    uses: [...uses, "azure.subscriptionId"],
    problem: `in another subscription than the stack (${subscriptionId}): Azure attaches machines and subnets only to what is in theirs`,
    allowed: `what is in the subscription ${subscriptionId}`,
  };

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
