import { subnetsByName } from "./addressing";

/** A VNET that others have made. */

export interface ExistingNetwork {
  readonly controlPlaneSubnetId: string;
  readonly nodeSubnetId: string;
  readonly poolSubnetIds?: Readonly<Record<string, string>> | undefined;
  readonly nodeSecurityGroup: string;
  readonly controlPlaneSecurityGroup?: string | undefined;
  readonly routeTable?: string | undefined;
  readonly egressCidrs: readonly string[];
}

/** The parts of the ARM id of a subnet. */
export function subnetParts(id: string) {
  const [, , subscription = "", , resourceGroup = "", , , , vnet = "", , subnet = ""] = id.split("/");
  return { subscription, resourceGroup, vnet, subnet };
}

export const vnetIdOf = (subnetId: string): string => subnetId.split("/").slice(0, -2).join("/");

/** The subnets of pools: the one of all pools first, then the further ones by name. */
export const nodeSubnetIds = ({ nodeSubnetId, poolSubnetIds = {} }: ExistingNetwork): string[] => [
  nodeSubnetId,
  ...subnetsByName(poolSubnetIds).map(([, id]) => id),
];

/** ARM id of a security group, which is in the resource group of the VNET. */
export const securityGroupId = ({ nodeSubnetId }: ExistingNetwork, name: string): string =>
  `${vnetIdOf(nodeSubnetId).split("/").slice(0, -2).join("/")}/networkSecurityGroups/${name}`;

/** ARM id of a route table, which is there, too. */
export const routeTableId = (existing: ExistingNetwork, name: string): string =>
  securityGroupId(existing, name).replace("/networkSecurityGroups/", "/routeTables/");

/** ARM id of the nodes' security group. azure.json has one group for both (CAPZ v1.27.0 controllers/helpers.go). */
export const nodeSecurityGroupId = (existing: ExistingNetwork): string =>
  securityGroupId(existing, existing.nodeSecurityGroup);
