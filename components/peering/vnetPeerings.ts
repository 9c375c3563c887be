import * as network from "@pulumi/azure-native/network";
import { Provider } from "@pulumi/azure-native/provider";
import * as pulumi from "@pulumi/pulumi";
import { networkNames } from "capz-windows-platform/cluster/naming";
import { peeringNames, remoteSideOf, type RemoteSide } from "capz-windows-platform/company-network/peerings";
import { byName } from "capz-windows-kit/byName";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { childOf, givenOptions, requireProviders } from "../childOptions";
import { componentType } from "../componentType";

export interface PeeringArgs {
  /** ARM id of the other VNET, in any subscription of the tenant. */
  vnetId: pulumi.Input<string>;
  /** Its ranges, for reports. */
  addressSpaces: pulumi.Input<string[]>;
  /** Who makes the side of the other VNET. Default: manual. */
  remoteSide?: RemoteSide;
  /** Let packets in that the other VNET only forwards. Default: true. */
  allowForwardedTraffic?: boolean | undefined;
  /** Reach other networks through the gateway of the other VNET. Default: false. */
  useRemoteGateways?: boolean | undefined;
}

export interface VnetPeeringsArgs {
  /** Name of the workload cluster. */
  clusterName: string;
  /** Subscription of the cluster. */
  subscriptionId: string;
  /** Microsoft Entra tenant of the cluster. */
  tenantId: string;
  /** Resource group of the cluster's VNET. */
  resourceGroupName: pulumi.Input<string>;
  /** ARM id of the cluster's VNET. */
  vnetId: pulumi.Input<string>;
  /** The peerings: name to the other VNET. */
  peerings: Record<string, PeeringArgs>;
}

/**
 * Peerings of the cluster's VNET with others, such as a hub: the cluster's side, and with `remoteSide: stack` the other
 * one, by a provider for the subscription of that VNET.
 *
 * Name it in the `opts.dependsOn` of the WorkloadCluster: machines that start before have no way through the hub.
 */
export class VnetPeerings extends pulumi.ComponentResource {
  constructor(name: string, args: VnetPeeringsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("VnetPeerings"), name, { ...args }, givenOptions(opts));
    requireProviders(this, "azure-native");
    const { clusterName, subscriptionId, tenantId, peerings } = args;
    const ownName = networkNames(clusterName).vnet;
    // One after another: Azure refuses a write to a VNET while another one to it runs (AnotherOperationInProgress).
    let before: pulumi.Resource[] = [];
    for (const [key, peering] of byName(peerings)) {
      const names = peeringNames(clusterName, key);
      const { allowForwardedTraffic = true, useRemoteGateways = false } = peering;
      const { vnetId } = peering;
      const other = pulumi.output(vnetId).apply(resourceParts);
      // Azure does not change the VNET of a peering, and has one peering between two VNETs.
      const kept = { replaceOnChanges: ["remoteVirtualNetwork"], deleteBeforeReplace: true };
      // Of an output the program does not know the subscription.
      const isElsewhere =
        typeof vnetId !== "string" ||
        resourceParts(vnetId).subscriptionId.toLowerCase() !== subscriptionId.toLowerCase();
      if (peering.remoteSide === "stack") {
        const provider = isElsewhere
          ? {
              provider: new Provider(
                `${name}-${key}-provider`,
                { subscriptionId: other.subscriptionId, tenantId },
                { parent: this },
              ),
            }
          : {};
        // First, because Azure refuses useRemoteGateways until the other side allows gateway transit.
        const remote = new network.VirtualNetworkPeering(
          `${name}-${key}-remote`,
          {
            ...{ resourceGroupName: other.resourceGroup, virtualNetworkName: other.name },
            ...{ virtualNetworkPeeringName: names.remote, remoteVirtualNetwork: { id: args.vnetId } },
            ...remoteSideOf({ useRemoteGateways }),
          },
          { ...childOf(this, opts, ...before), ...kept, ...provider },
        );
        before = [remote];
      }
      const own = new network.VirtualNetworkPeering(
        `${name}-${key}`,
        {
          ...{ resourceGroupName: args.resourceGroupName, virtualNetworkName: ownName },
          ...{ virtualNetworkPeeringName: names.own, remoteVirtualNetwork: { id: vnetId } },
          ...{ allowVirtualNetworkAccess: true, allowGatewayTransit: false },
          ...{ allowForwardedTraffic, useRemoteGateways },
        },
        { ...childOf(this, opts, ...before), ...kept },
      );
      before = [own];
    }
    this.registerOutputs();
  }
}
