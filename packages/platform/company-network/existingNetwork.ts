import { subnetsByName } from "../network/addressing";

/** A VNET that others have made. */

/** Subnets of one VNET that others have made, in the subscription of the cluster. */
export interface ExistingNetworkIds {
  /** ARM id of the control plane's subnet. */
  controlPlaneSubnetId: string;
  /** ARM id of the subnet of all pools. */
  nodeSubnetId: string;
  /** ARM ids of the further subnets for pools, by the names that pools have for them. Default: none. */
  poolSubnetIds?: Record<string, string> | undefined;
  /** Name of the security group of the subnets of pools, in the resource group of the VNET. */
  nodeSecurityGroup: string;
  /** Name of the security group of the control plane's subnet. Default: nodeSecurityGroup. */
  controlPlaneSecurityGroup?: string | undefined;
  /** Name of the route table of the subnets. Default: none is named. */
  routeTable?: string | undefined;
  /** Addresses from which machines leave the VNET. */
  egressCidrs: string[];
}

/** What names things in that VNET. */
type Names = Omit<ExistingNetworkIds, "egressCidrs">;

/** The parts of the ARM id of a subnet. */
export function subnetParts(id: string) {
  const [, , subscription = "", , resourceGroup = "", , , , vnet = "", , subnet = ""] = id.split("/");
  return { subscription, resourceGroup, vnet, subnet };
}

export const vnetIdOf = (subnetId: string): string => subnetId.split("/").slice(0, -2).join("/");

/** The subnets of pools: the one of all pools first, then the further ones by name. */
export const nodeSubnetIds = ({ nodeSubnetId, poolSubnetIds = {} }: Names): string[] => [
  nodeSubnetId,
  ...subnetsByName(poolSubnetIds).map(([, id]) => id),
];

/** ARM id of a security group, which is in the resource group of the VNET. */
export const securityGroupId = ({ nodeSubnetId }: Names, name: string): string =>
  `${vnetIdOf(nodeSubnetId).split("/").slice(0, -2).join("/")}/networkSecurityGroups/${name}`;

/** ARM id of a route table, which is there, too. */
export const routeTableId = (existing: Names, name: string): string =>
  securityGroupId(existing, name).replace("/networkSecurityGroups/", "/routeTables/");

/** ARM id of the nodes' security group. azure.json has one group for both (CAPZ v1.27.0 controllers/helpers.go). */
export const nodeSecurityGroupId = (existing: Names): string =>
  securityGroupId(existing, existing.nodeSecurityGroup);
