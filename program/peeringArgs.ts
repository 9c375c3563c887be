import type { VnetPeeringsArgs } from "../components/peering/vnetPeerings";
import type { Network } from "../components/virtualNetwork/network";
import { peeringsOf } from "../config/managementReach";
import type { Settings } from "../config/settings";

/** The args if the VNET of the stack is peered with others, otherwise an empty list. */
export function peerings(settings: Settings, network: Network): VnetPeeringsArgs[] {
  const { clusterName, azure } = settings;
  const all = peeringsOf(settings);
  return Object.keys(all).length === 0
    ? []
    : [
        {
          ...{ clusterName, subscriptionId: azure.subscriptionId, tenantId: azure.tenantId },
          ...{ resourceGroupName: network.resourceGroupName, vnetId: network.vnetId },
          peerings: all,
        },
      ];
}
