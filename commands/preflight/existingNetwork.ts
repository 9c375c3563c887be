import { interfacesIn, machinesIn } from "../../config/rules/network";
import type { Settings } from "../../config/settings";
import {
  nodeSecurityGroupId,
  nodeSubnetIds,
  routeTableId,
  securityGroupId,
  subnetParts,
  vnetIdOf,
} from "../../platform/company-network/existingNetwork";
import { ownValue } from "../../tools/untyped";

/** What a VNET of others must be, and where `up` assigns roles in it. */

export type ExistingNetworkNeed = NonNullable<ReturnType<typeof existingNetworkOf>>;
export type SubnetNeed = ExistingNetworkNeed["subnets"][number];

export function existingNetworkOf(settings: Settings) {
  const {
    network,
    proxy,
    clusterApi: { identity },
  } = settings;
  const { existing, controlPlaneSubnetCidr, nodeSubnetCidr, poolSubnets, apiServer } = network;
  if (existing === undefined) {
    return undefined;
  }
  const { controlPlaneSubnetId, nodeSubnetId, poolSubnetIds, nodeSecurityGroup } = existing;
  /**
   * @param keys - below `network` of the stack file: of its ID, its range and its security group
   * @param addresses - that the cluster takes at one time, with those of a rollout and of an internal load balancer
   */
  const subnet = (
    id: string,
    cidr: string,
    group: string,
    keys: Readonly<Record<"id" | "cidr" | "securityGroup", string>>,
    addresses: number,
    hasOther = false,
  ) => ({
    ...{ name: subnetParts(id).subnet, id, cidr, keys, addresses },
    securityGroup: securityGroupId(existing, group),
    // Machines reach the Internet by what is attached to the subnet; through a proxy by way of the VNET.
    needsWayOut: !hasOther && proxy === undefined,
  });
  const ofNodes = (id: string, cidr: string) => ({
    ...{ id: `existing.${id}`, cidr, securityGroup: "existing.nodeSecurityGroup" },
  });
  const machines = machinesIn(settings);
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
        machines.controlPlaneSubnetCidr,
        // The public load balancer of the API server has an outbound rule for the control plane.
        apiServer === undefined,
      ),
      subnet(
        ...([nodeSubnetId, nodeSubnetCidr, nodeSecurityGroup] as const),
        ofNodes("nodeSubnetId", "nodeSubnetCidr"),
        machines.nodeSubnetCidr,
      ),
      ...Object.entries(poolSubnets).map(([name, cidr]) =>
        subnet(
          ownValue(poolSubnetIds, name) ?? "",
          cidr,
          nodeSecurityGroup,
          ofNodes(`poolSubnetIds.${name}`, `poolSubnets.${name}`),
          interfacesIn(settings, name),
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
