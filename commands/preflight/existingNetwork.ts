import type { StackFacts } from "capz-windows-contract";
import {
  nodeSecurityGroupId,
  nodeSubnetIds,
  routeTableId,
  securityGroupId,
  subnetParts,
  vnetIdOf,
} from "capz-windows-platform/company-network/existingNetwork";
import { ownValue } from "capz-windows-kit/untyped";

/** What a VNET of others must be, and where `up` assigns roles in it. */

export type ExistingNetworkNeed = NonNullable<ReturnType<typeof existingNetworkOf>>;
export type SubnetNeed = ExistingNetworkNeed["subnets"][number];

export function existingNetworkOf({ network, clusterApi: { identity } }: StackFacts) {
  const { existing, controlPlaneSubnetCidr, nodeSubnetCidr, poolSubnets, apiServer } = network;
  if (existing === undefined) {
    return undefined;
  }
  const { controlPlaneSubnetId, nodeSubnetId, poolSubnetIds, nodeSecurityGroup } = existing;
  /**
   * @param keys - below `network` of the stack file: of its ID, its range and its security group
   */
  const subnet = (
    id: string,
    cidr: string,
    group: string,
    keys: Readonly<Record<"id" | "cidr" | "securityGroup", string>>,
    hasOther = false,
  ) => ({
    ...{ name: subnetParts(id).subnet, id, cidr, keys },
    addresses: network.addresses[keys.cidr] ?? 0,
    securityGroup: securityGroupId(existing, group),
    // Machines reach the Internet by what is attached to the subnet; through a proxy by way of the VNET.
    needsWayOut: !hasOther && !network.hasProxy,
  });
  const ofNodes = (id: string, cidr: string) => ({
    ...{ id: `existing.${id}`, cidr, securityGroup: "existing.nodeSecurityGroup" },
  });
  // A new identity of the controllers has the roles, too; of a given one the principal must be known.
  const assigned = [
    ...(identity !== undefined && identity.principalId === undefined ? [] : [controlPlaneSubnetId]),
    ...nodeSubnetIds(existing),
  ];
  return {
    vnetId: vnetIdOf(nodeSubnetId),
    subnets: [
      subnet(
        controlPlaneSubnetId,
        controlPlaneSubnetCidr,
        existing.controlPlaneSecurityGroup ?? nodeSecurityGroup,
        {
          id: "existing.controlPlaneSubnetId",
          cidr: "controlPlaneSubnetCidr",
          securityGroup: "existing.controlPlaneSecurityGroup",
        },
        // The public load balancer of the API server has an outbound rule for the control plane.
        apiServer === undefined,
      ),
      subnet(
        ...([nodeSubnetId, nodeSubnetCidr, nodeSecurityGroup] as const),
        ofNodes("nodeSubnetId", "nodeSubnetCidr"),
      ),
      ...Object.entries(poolSubnets).map(([name, cidr]) =>
        subnet(
          ownValue(poolSubnetIds, name) ?? "",
          cidr,
          nodeSecurityGroup,
          ofNodes(`poolSubnetIds.${name}`, `poolSubnets.${name}`),
        ),
      ),
    ],
    routeTableId: existing.routeTable && routeTableId(existing, existing.routeTable),
    /** ARM IDs and names of that on which the stack assigns a role. */
    scopes: [
      ...assigned.map((id) => ({ id, called: `the subnet ${subnetParts(id).subnet}` })),
      { id: nodeSecurityGroupId(existing), called: `the security group ${nodeSecurityGroup}` },
    ],
  };
}
