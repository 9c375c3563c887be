import { bash, verbatim } from "capz-windows-kit/shell";
import { resourceParts } from "../azure/resourceParts";

/** Peerings of the VNET of a stack with those of others, such as a hub. */

/** stack: this stack makes the other side, too. manual: whoever owns the other VNET makes it. */
export const RemoteSide = { stack: "stack", manual: "manual" } as const;
export type RemoteSide = (typeof RemoteSide)[keyof typeof RemoteSide];

/** The same for the VNET of the management cluster of another stack; others: no side is made by this stack. */
export const ManagementPeering = { ...RemoteSide, others: "others" } as const;
export type ManagementPeering = (typeof ManagementPeering)[keyof typeof ManagementPeering];

export interface Peering {
  /** ARM ID of the other VNET, in any subscription of the tenant. */
  readonly vnetId: string;
  /** Its ranges. */
  readonly addressSpaces: readonly string[];
  readonly remoteSide: RemoteSide;
  /** Whether packets come in that the other VNET only forwards, such as those through its firewall. */
  readonly allowForwardedTraffic: boolean;
  /** Whether the stack reaches other networks through the gateway of the other VNET. */
  readonly useRemoteGateways: boolean;
}

/** What each side of a peering is called in Azure. The other side has the name of the cluster: a hub has many spokes. */
export const peeringNames = (clusterName: string, name: string) => ({
  own: `to-${name}`,
  remote: `to-${clusterName}`,
});

/** How the other VNET is to treat the stack's: its gateway is for those that use it. */
export const remoteSideOf = ({ useRemoteGateways }: Pick<Peering, "useRemoteGateways">) => ({
  allowVirtualNetworkAccess: true,
  allowForwardedTraffic: false,
  allowGatewayTransit: useRemoteGateways,
  useRemoteGateways: false,
});

/** The command that makes the other side, for whoever owns the other VNET. */
export function remoteSideCommand(
  clusterName: string,
  ownVnetId: string,
  { vnetId, useRemoteGateways }: Pick<Peering, "vnetId" | "useRemoteGateways">,
): string {
  const { subscriptionId, resourceGroup, name } = resourceParts(vnetId);
  const command = bash`az network vnet peering create --subscription ${subscriptionId} --resource-group ${resourceGroup} --vnet-name ${name} --name ${peeringNames(clusterName, "").remote} --remote-vnet ${ownVnetId} --allow-vnet-access`;
  return useRemoteGateways ? bash`${verbatim(command)} --allow-gateway-transit` : command;
}

/** What Azure asks at the other VNET of whoever makes a peering with it, and of whoever makes its side. */
const peerAction = "Microsoft.Network/virtualNetworks/peer/action";
const remoteSideActions = [
  "Microsoft.Network/virtualNetworks/virtualNetworkPeerings/read",
  "Microsoft.Network/virtualNetworks/virtualNetworkPeerings/write",
  "Microsoft.Network/virtualNetworks/virtualNetworkPeerings/delete",
] as const;

export const peeringActions = ({ remoteSide }: Pick<Peering, "remoteSide">): string[] => [
  peerAction,
  ...(remoteSide === "stack" ? remoteSideActions : []),
];

/** Address of Azure's DNS in every VNET, which knows private zones and the names of machines. */
export const azureDns = "168.63.129.16";

/**
 * Largest TCP segment through a VPN gateway of Azure (learn.microsoft.com, "About VPN devices for site-to-site": clamp
 * the MSS at 1350), and the headers of IPv4 and TCP around it. ExpressRoute carries 1500 bytes.
 */
export const vpnSegment = 1350;
export const tcpHeaders = 40;
