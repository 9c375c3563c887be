import { interfacesIn, machinesIn } from "../../config/rules/network";
import type { Settings } from "../../config/settings";
import {
  nodeSecurityGroupId,
  nodeSubnetIds,
  routeTableId,
  securityGroupId,
  subnetParts,
  vnetIdOf,
} from "../../platform/network/existingNetwork";

/** What a VNET of others must be, and where `up` assigns roles in it. */

export interface SubnetNeed {
  readonly name: string;
  readonly id: string;
  /** Keys below `network` of the stack file: of its ID, its range and its security group. */
  readonly keys: { readonly id: string; readonly cidr: string; readonly securityGroup: string };
  readonly cidr: string;
  /** ARM ID. */
  readonly securityGroup: string;
  /** Addresses that the cluster takes at one time, with those of a rollout and of an internal load balancer. */
  readonly addresses: number;
  /** Machines reach the Internet by what is attached to the subnet. */
  readonly needsWayOut: boolean;
}

export interface ExistingNetworkNeed {
  readonly vnetId: string;
  readonly subnets: readonly SubnetNeed[];
  readonly routeTableId?: string | undefined;
  /** ARM IDs and names of that on which the stack assigns a role. */
  readonly scopes: readonly { readonly id: string; readonly called: string }[];
}

export function existingNetworkOf(settings: Settings): ExistingNetworkNeed | undefined {
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
  const subnet = (
    id: string,
    cidr: string,
    group: string,
    keys: SubnetNeed["keys"],
    addresses: number,
    hasOther = false,
  ): SubnetNeed => ({
    ...{ name: subnetParts(id).subnet, id, cidr, keys, addresses },
    securityGroup: securityGroupId(existing, group),
    // Through a proxy machines reach the Internet by way of the VNET.
    needsWayOut: !hasOther && proxy === undefined,
  });
  const ofNodes = (id: string, cidr: string): SubnetNeed["keys"] => ({
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
          poolSubnetIds[name] ?? "",
          cidr,
          nodeSecurityGroup,
          ofNodes(`poolSubnetIds.${name}`, `poolSubnets.${name}`),
          interfacesIn(settings, name),
        ),
      ),
    ],
    routeTableId: existing.routeTable && routeTableId(existing, existing.routeTable),
    scopes: [
      ...assigned.map((id) => ({ id, called: `the subnet ${subnetParts(id).subnet}` })),
      { id: nodeSecurityGroupId(existing), called: `the security group ${nodeSecurityGroup}` },
    ],
  };
}
