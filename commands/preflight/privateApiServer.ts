import { privateApiServer } from "../../config/apiServer";
import type { Settings } from "../../config/settings";
import { internalBalancer } from "../../platform/cluster/privateApiServer";
import { networkNames } from "../../platform/cluster/naming";
import { vnetIdOf } from "../../platform/network/existingNetwork";
import { vnetIdIn } from "../../platform/network/outbound";

/** What must be free or there for a private API server. */
export interface PrivateApiServerNeed {
  readonly ip: string;
  readonly zoneName: string;
  /** Zone of others, "" for one of the stack. */
  readonly zoneId: string;
  /** The one that the stack makes instead, on a second `up`. */
  readonly ownZoneId: string;
  /** VNETs that the stack links to the zone. */
  readonly vnetIds: readonly string[];
  readonly subscription: string;
  readonly existingVnetId: string | undefined;
  /** Its load balancer, once the cluster exists. */
  readonly balancerId: string;
}

export function privateApiServerOf(settings: Settings): PrivateApiServerNeed | undefined {
  const own = privateApiServer(settings);
  const { azure, clusterName, network } = settings;
  if (own === undefined) {
    return undefined;
  }
  const { subscriptionId, resourceGroup } = azure;
  const existingVnetId = network.existing === undefined ? undefined : vnetIdOf(network.existing.nodeSubnetId);
  const vnetId = existingVnetId ?? vnetIdIn(subscriptionId, resourceGroup, networkNames(clusterName).vnet);
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  return {
    ...{ ip: own.ip, zoneName: own.zoneName, zoneId: own.zoneId ?? "", existingVnetId },
    vnetIds: own.manual ? [] : [vnetId, ...own.linkedVnetIds],
    ownZoneId: `${group}/providers/Microsoft.Network/privateDnsZones/${own.zoneName}`,
    subscription: subscriptionId,
    balancerId: `${group}/providers/Microsoft.Network/loadBalancers/${internalBalancer(clusterName).name}`,
  };
}
