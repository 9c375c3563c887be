import { managementPeering, managementVnetId } from "../platform/azure/managementNetwork";
import { vnetIdOf } from "../platform/network/existingNetwork";
import { RemoteSide } from "../platform/network/peerings";
import type { Settings } from "./settings";

/** How the controllers on an AKS cluster of the stack reach a private API server. */

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

/** The VNET of AKS must resolve the name of a private API server. */
export function linkedVnetsOf(place: Place): string[] {
  const given = place.network.apiServer?.linkedVnetIds ?? [];
  const vnetId = vnetOfManagement(place);
  return vnetId === undefined || shareVnet(place) || given.some((one) => same(one, vnetId))
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
