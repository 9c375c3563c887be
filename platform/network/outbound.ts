/** How machines in the VNET of a stack reach what is outside of it. */

/**
 * nat: a NAT gateway of the stack. existingNat: one of others. firewall: a route to a firewall. none: through a proxy
 * or a mirror in the network only.
 */
export const OutboundType = {
  nat: "nat",
  existingNat: "existingNat",
  firewall: "firewall",
  none: "none",
} as const;
export type OutboundType = (typeof OutboundType)[keyof typeof OutboundType];

/** Addresses of a NAT gateway, and the prefixes with as many (learn.microsoft.com, "NAT gateway resource": 16). */
export const natAddresses = { min: 1, max: 16 } as const;
/** Connections of one address to one target, that is SNAT ports (the same page). */
export const natPorts = 64_512;
export const natPrefixes = { min: 28, max: 31 } as const;

/** How many addresses a prefix has; all of them can be used. */
export const prefixAddresses = (length: number): number => 2 ** (32 - length);

/** Minutes (learn.microsoft.com, "NAT gateway resource", idle timeout). */
export const natIdleMinutes = { min: 4, max: 120, default: 4 } as const;

export interface Outbound {
  readonly type: OutboundType;
  readonly addresses?: number | undefined;
  readonly prefixLength?: number | undefined;
  readonly idleTimeoutMinutes?: number | undefined;
  readonly natGatewayId?: string | undefined;
  readonly egressCidrs?: readonly string[] | undefined;
  readonly firewallAddress?: string | undefined;
  readonly routeTableId?: string | undefined;
}

/** The keys of each way out. */
export const outboundKeys = {
  nat: ["addresses", "prefixLength", "idleTimeoutMinutes"],
  existingNat: ["natGatewayId", "egressCidrs"],
  firewall: ["firewallAddress", "routeTableId"],
  none: [],
} as const satisfies Readonly<Record<OutboundType, readonly (keyof Outbound)[]>>;

/**
 * Whether the AzureCluster names the NAT gateway. CAPZ takes one with one address of a known name, in the resource group
 * of the cluster, and makes both where they are missing (CAPZ v1.27.0 azure/scope/cluster.go, NatGatewaySpecs and
 * PublicIPSpecs). For every other way out, subnets have their ids, and CAPZ makes nothing.
 */
export const isNamedNat = (outbound: Outbound | undefined): boolean =>
  outbound === undefined || (outbound.type === "nat" && outbound.prefixLength === undefined);

/** Whether packets to the Internet take a way that the load balancers of Azure do not know. */
export const bypassesBalancers = (outbound: Outbound | undefined): boolean =>
  outbound?.type === "firewall" || outbound?.type === "none";

/** ARM ID of a subnet in a VNET. */
export const subnetId = (vnetId: string, name: string): string => `${vnetId}/subnets/${name}`;

export const vnetIdIn = (subscriptionId: string, resourceGroup: string, name: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Network/virtualNetworks/${name}`;

/** Names of the public addresses of a NAT gateway, and what they add to the logical name of the first one. */
export const natIpNames = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => (index === 0 ? "" : `-${index + 1}`)).map((suffix) => ({
    suffix,
    publicIpAddressName: `${first}${suffix}`,
  }));

/** What Azure asks of whoever attaches a NAT gateway or a route table to a subnet. */
export const joinAction = (id: string): string =>
  `Microsoft.Network/${/\/natGateways\//i.test(id) ? "natGateways" : "routeTables"}/join/action`;
