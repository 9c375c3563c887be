import type { VnetPeeringsArgs } from "../components/peering/vnetPeerings";
import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import type { Network } from "../components/virtualNetwork/network";
import { peeringsOf, stackPeering } from "../config/managementReach";
import type { Settings } from "../config/settings";
import { managementPeering } from "capz-windows-platform/azure/managementNetwork";
import { ManagementPeering } from "capz-windows-platform/company-network/peerings";
import { managementVnet } from "./managementVnet";
import { present } from "capz-windows-kit/present";

/** The args if the VNET of the stack is peered with others, otherwise an empty list. */
export function peerings(
  settings: Settings,
  network: Network,
  management: ManagementCluster,
): VnetPeeringsArgs[] {
  const { clusterName, azure } = settings;
  const remoteSide = stackPeering(settings);
  const vnet = managementVnet(settings, management);
  const all: VnetPeeringsArgs["peerings"] = {
    ...peeringsOf(settings),
    ...(vnet === undefined || remoteSide === undefined || remoteSide === ManagementPeering.others
      ? {}
      : {
          [managementPeering]: {
            ...{ vnetId: vnet.id, addressSpaces: vnet.cidrs, remoteSide },
            ...{ allowForwardedTraffic: false, useRemoteGateways: false },
          },
        }),
  };
  return present(
    Object.keys(all).length !== 0 && {
      ...{ clusterName, subscriptionId: azure.subscriptionId, tenantId: azure.tenantId },
      ...{ resourceGroupName: network.resourceGroupName, vnetId: network.vnetId },
      peerings: all,
    },
  );
}
