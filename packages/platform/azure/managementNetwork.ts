import { cidrSize, formatCidr, mustParseCidr } from "../network/addressing";
import { vnetIdOf } from "../company-network/existingNetwork";
import { surgeNodes } from "../machines/rollout";
import { vnetIdIn } from "../company-network/outbound";
import { aksSurge, managementNames } from "./aks";

/** The network of an AKS management cluster that is not in a VNET of AKS's own. */

/**
 * loadBalancer: an address of the stack on the load balancer of AKS. nat: a NAT gateway of the stack. existingNat: one that
 * the subnet has. firewall: a route that the subnet has.
 */
export const ManagementOutbound = {
  loadBalancer: "loadBalancer",
  nat: "nat",
  existingNat: "existingNat",
  firewall: "firewall",
} as const;
export type ManagementOutbound = (typeof ManagementOutbound)[keyof typeof ManagementOutbound];

/**
 * What AKS calls them. Its managedNATGateway works in a VNET of AKS only
 * (https://learn.microsoft.com/azure/aks/nat-gateway, "incompatible with custom virtual networks").
 */
export const aksOutboundTypes = {
  loadBalancer: "loadBalancer",
  nat: "userAssignedNATGateway",
  existingNat: "userAssignedNATGateway",
  firewall: "userDefinedRouting",
} as const satisfies Readonly<Record<ManagementOutbound, string>>;

export interface ManagementNetwork {
  readonly vnetCidr?: string | undefined;
  readonly subnetId?: string | undefined;
}

/** The API server of AKS; what is not set has the default of AKS. */
export interface ManagementApiServer {
  readonly private: boolean;
  readonly vnetIntegration: boolean;
  readonly subnetId?: string | undefined;
  readonly privateDnsZone?: string | undefined;
  readonly publicFqdn?: boolean | undefined;
  readonly linkedVnetIds: readonly string[];
}

/**
 * Domain of the private names (https://learn.microsoft.com/azure/aks/private-clusters and api-server-vnet-integration,
 * "private DNS zone"). A zone of others may have a name before it.
 */
export const aksZone = (location: string, vnetIntegration: boolean): string =>
  `${vnetIntegration ? "private" : "privatelink"}.${location}.azmk8s.io`;

/** Smallest subnet of an API server (https://learn.microsoft.com/azure/aks/api-server-vnet-integration). */
export const apiServerPrefix = 28;

export const aksDelegation = "Microsoft.ContainerService/managedClusters";

/** Prefix lengths of the VNET: half of it is for nodes, and the first /28 for the API server. */
export const managementVnetPrefixes = { from: 8, to: 26 } as const;

export const nodesOfManagement = "nodes";
export const apiServerOfManagement = "api-server";

/** The peering between the VNETs of a workload cluster and of its management cluster, where the stack makes both. */
export const managementPeering = "management-cluster";

/** The subnets of the VNET that the stack makes for AKS. */
export function managementSubnets(vnetCidr: string): { readonly nodes: string; readonly apiServer: string } {
  const vnet = mustParseCidr(vnetCidr);
  return {
    nodes: formatCidr({ first: vnet.first + cidrSize(vnet) / 2, prefix: vnet.prefix + 1 }),
    apiServer: formatCidr({ first: vnet.first, prefix: apiServerPrefix }),
  };
}

/** ARM ID of the VNET of AKS's nodes. */
export const managementVnetId = (
  { subnetId }: ManagementNetwork,
  subscriptionId: string,
  clusterName: string,
): string => {
  const { resourceGroup, vnet } = managementNames(clusterName);
  return subnetId === undefined ? vnetIdIn(subscriptionId, resourceGroup, vnet) : vnetIdOf(subnetId);
};

/** Machines while AKS upgrades: it replaces a third of them at a time (maxSurge of aksCluster.ts). */
export const nodesInUpgrade = (maxNodeCount: number): number =>
  maxNodeCount + surgeNodes(aksSurge, maxNodeCount);

/** What Azure asks of whoever puts AKS into a subnet of others. */
export const joinSubnet = "Microsoft.Network/virtualNetworks/subnets/join/action";
