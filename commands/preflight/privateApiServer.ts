import type { StackFacts } from "capz-windows-contract";
import { internalBalancer } from "capz-windows-platform/cluster/privateApiServer";
import { networkNames } from "capz-windows-platform/cluster/naming";
import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { vnetIdIn } from "capz-windows-platform/company-network/outbound";

/** What must be free or there for a private API server. */
export type PrivateApiServerNeed = NonNullable<ReturnType<typeof privateApiServerOf>>;

export function privateApiServerOf({ clusterName, subscriptionId, resourceGroup, network }: StackFacts) {
  const { apiServer: own } = network;
  if (own === undefined) {
    return undefined;
  }
  const existingVnetId = network.existing === undefined ? undefined : vnetIdOf(network.existing.nodeSubnetId);
  const vnetId = existingVnetId ?? vnetIdIn(subscriptionId, resourceGroup, networkNames(clusterName).vnet);
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  return {
    // The zone of others is "" for one of the stack.
    ...{ ip: own.ip, zoneName: own.zoneName, zoneId: own.zoneId ?? "", existingVnetId },
    /** VNETs that the stack links to the zone. */
    vnetIds: own.manual ? [] : [vnetId, ...own.linkedVnetIds],
    /** The zone that the stack makes instead, on a second `up`. */
    ownZoneId: `${group}/providers/Microsoft.Network/privateDnsZones/${own.zoneName}`,
    subscription: subscriptionId,
    /** Its load balancer, once the cluster exists. */
    balancerId: `${group}/providers/Microsoft.Network/loadBalancers/${internalBalancer(clusterName).name}`,
  };
}
