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

/** How machines in the VNET of a cluster reach what is outside of it. */
export interface OutboundArgs {
  /** The way out; each of the other args belongs to one type. */
  type: OutboundType;
  /** nat: number of public addresses of the NAT gateway. Default: 1. */
  addresses?: number | undefined;
  /** nat: length of a prefix of public addresses, /28 to /31, instead of single ones. Default: none. */
  prefixLength?: number | undefined;
  /** nat: minutes after which the NAT gateway forgets an idle connection. Default: 4. */
  idleTimeoutMinutes?: number | undefined;
  /** existingNat: ARM id of a NAT gateway that others have made. */
  natGatewayId?: string | undefined;
  /** existingNat: its public addresses, by which nodes come to a public API server. Default: none. */
  egressCidrs?: string[] | undefined;
  /** firewall: private address to which the route 0.0.0.0/0 leads. */
  firewallAddress?: string | undefined;
  /** firewall: ARM id of a route table that others have made, instead of firewallAddress. */
  routeTableId?: string | undefined;
}

/** The keys of each way out. */
export const outboundKeys = {
  nat: ["addresses", "prefixLength", "idleTimeoutMinutes"],
  existingNat: ["natGatewayId", "egressCidrs"],
  firewall: ["firewallAddress", "routeTableId"],
  none: [],
} as const satisfies Readonly<Record<OutboundType, readonly (keyof OutboundArgs)[]>>;

/**
 * Whether the AzureCluster names the NAT gateway. CAPZ takes one with one address of a known name, in the resource group
 * of the cluster, and makes both where they are missing (CAPZ v1.27.0 azure/scope/cluster.go, NatGatewaySpecs and
 * PublicIPSpecs). For every other way out, subnets have their ids, and CAPZ makes nothing.
 */
export const isNamedNat = (outbound: OutboundArgs | undefined): boolean =>
  outbound === undefined || (outbound.type === "nat" && outbound.prefixLength === undefined);

/** Whether packets to the Internet take a way that the load balancers of Azure do not know. */
export const bypassesBalancers = (outbound: OutboundArgs | undefined): boolean =>
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
