import {
  managementPeering,
  managementVnetId,
  nodesOfManagement,
} from "capz-windows-platform/azure/managementNetwork";
import { mustParseCidr, overlaps } from "capz-windows-platform/network/addressing";
import { vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";
import { subnetId } from "capz-windows-platform/company-network/outbound";
import { RemoteSide, type ManagementPeering } from "capz-windows-platform/company-network/peerings";
import type { Settings } from "./settings";

/** How the controllers on an AKS cluster of the stack, or on that of another stack, reach a private API server. */

type Place = Pick<Settings, "azure" | "clusterName" | "management" | "network">;

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** ARM ID of the VNET of AKS, where it is not one of AKS's own, which nothing can be peered with. */
export const vnetOfManagement = ({ management, azure, clusterName }: Place): string | undefined =>
  management.kind === "aks" && management.network !== undefined
    ? managementVnetId(management.network, azure.subscriptionId, clusterName)
    : undefined;

/** Whether both clusters are in one VNET of others. */
export function shareVnet(place: Place): boolean {
  const [vnetId, { existing }] = [vnetOfManagement(place), place.network];
  return vnetId !== undefined && existing !== undefined && same(vnetIdOf(existing.nodeSubnetId), vnetId);
}

/** What the stack file says of a private link, by which the management cluster reaches the API server. */
export const privateLinkOf = ({ network }: Pick<Settings, "network">) => network.apiServer?.privateLink;

/** Whether the subnet of the private endpoint follows from the outputs of the management stack. */
export function isEndpointInStack({
  management,
  network,
}: Pick<Settings, "management" | "network">): boolean {
  const link = privateLinkOf({ network });
  return management.kind === "stack" && link?.manual === false && link.subnetId === undefined;
}

/** ARM ID of that subnet where the stack file says it; nothing without an endpoint of the stack. */
export function endpointSubnetId(place: Place): string | undefined {
  const link = privateLinkOf(place);
  if (link?.manual !== false) {
    return undefined;
  }
  const { management } = place;
  const vnetId = vnetOfManagement(place);
  const ofNodes = management.kind === "aks" ? management.network?.subnetId : undefined;
  return link.subnetId ?? ofNodes ?? (vnetId && subnetId(vnetId, nodesOfManagement));
}

/** The VNET of AKS must resolve the name of a private API server; with a private link it has another zone for that. */
export function linkedVnetsOf(place: Place): string[] {
  const given = place.network.apiServer?.linkedVnetIds ?? [];
  const vnetId = vnetOfManagement(place);
  return vnetId === undefined ||
    privateLinkOf(place) !== undefined ||
    shareVnet(place) ||
    given.some((one) => same(one, vnetId))
    ? given
    : [...given, vnetId];
}

/** Those of the stack file, and where the stack makes both VNETs and the API server is private, one between the two. */
export function peeringsOf(place: Place): Settings["network"]["peerings"] {
  const { management, network } = place;
  const vnetId = vnetOfManagement(place);
  const vnetCidr = management.kind === "aks" ? management.network?.vnetCidr : undefined;
  return vnetId === undefined ||
    vnetCidr === undefined ||
    network.apiServer === undefined ||
    network.apiServer.privateLink !== undefined ||
    network.existing !== undefined ||
    Object.values(network.peerings).some((one) => same(one.vnetId, vnetId))
    ? network.peerings
    : {
        [managementPeering]: {
          ...{ vnetId, addressSpaces: [vnetCidr], remoteSide: RemoteSide.stack },
          ...{ allowForwardedTraffic: false, useRemoteGateways: false },
        },
        ...network.peerings,
      };
}

/** Who peers the VNET with that of the management cluster of another stack; nothing where IDs are written by hand. */
export const stackPeering = ({ management }: Pick<Settings, "management">): ManagementPeering | undefined =>
  management.kind === "stack" ? management.peering : undefined;

export interface ManagementVnet {
  readonly id: string;
  /** None where others have made it. */
  readonly cidrs: string[];
}

/** Why the VNET that the outputs of the other stack name cannot be peered or linked, and what to write. */
export function managementVnetProblem(settings: Settings, vnet: ManagementVnet): string | undefined {
  const { management, network } = settings;
  const stack = management.kind === "stack" ? management.stack : "";
  const of = `the management cluster of the stack ${stack}`;
  if (privateLinkOf(settings) !== undefined) {
    return vnet.id === "" || vnet.cidrs.length === 0
      ? `network.apiServer.privateLink: ${of} is in no VNET that its stack makes, so the subnet of the private endpoint does not follow from its outputs. Write subnetId, or manual: true`
      : undefined;
  }
  if (vnet.id === "") {
    return `management.peering: ${of} is in no VNET that can be peered: its output managementVnetId is missing. A new management stack with network in management of its stack file has one (docs/shared-management.md#in-a-private-network)`;
  }
  const taken = [
    ...Object.entries(network.peerings).map(
      ([name, { vnetId }]) => [`network.peerings.${name}`, vnetId] as const,
    ),
    ...(network.apiServer?.linkedVnetIds ?? []).map((id) => ["network.apiServer.linkedVnetIds", id] as const),
    ...(network.existing === undefined
      ? []
      : [["network.existing", vnetIdOf(network.existing.nodeSubnetId)] as const]),
  ].find(([, id]) => same(id, vnet.id));
  if (taken !== undefined) {
    return `${taken[0]}: has the VNET of ${of}, too (${vnet.id}), and Azure takes one peering or link of it. Remove it there, or remove peering from management`;
  }
  const met = (["vnetCidr", "podCidr", "serviceCidr"] as const)
    .flatMap((key) => vnet.cidrs.map((cidr) => ({ key, cidr })))
    .find(({ key, cidr }) => overlaps(mustParseCidr(network[key]), mustParseCidr(cidr)));
  return (
    met &&
    `network.${met.key}: ${network[met.key]} overlaps ${met.cidr} of the VNET of ${of}, which reaches the API server from there. Write a range that does not, or make another management stack`
  );
}
