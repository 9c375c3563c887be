import type { StackFacts } from "capz-windows-contract";
import { joinSubnet, nodesInUpgrade } from "capz-windows-platform/azure/managementNetwork";
import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { assignsRoles } from "capz-windows-platform/azure/roles";
import { subnetParts, vnetIdOf } from "capz-windows-platform/company-network/existingNetwork";

/** A VNET of the stack for AKS, or a subnet of others for as many nodes, and one that is delegated for the API server. */
export function managementNetworkOf({ management }: StackFacts) {
  if (management.kind !== "aks" || management.network === undefined) {
    return undefined;
  }
  const { subnetId, outbound, apiServer } = management.network;
  const { subnetId: apiServerSubnetId, privateDnsZone = "" } = apiServer;
  // Zone of others for a private API server.
  const zoneId = privateDnsZone.startsWith("/") ? privateDnsZone : undefined;
  const hasRole = (id: string, called: string, ...actions: string[]) => ({
    ...{ id, called },
    actions: [...actions, assignsRoles],
  });
  const subnets = [subnetId, apiServerSubnetId].filter((id) => id !== undefined);
  return {
    ...{ subnetId, apiServerSubnetId, zoneId, outbound: outbound.type },
    /** ARM IDs and names of what is of others, and what `up` does there. */
    scopes: [
      ...subnets.map((id) => hasRole(id, `the subnet ${subnetParts(id).subnet}`, joinSubnet)),
      ...(zoneId === undefined ? [] : [hasRole(zoneId, `the zone ${resourceParts(zoneId).name}`)]),
      // AKS links a zone that is not its own to the VNET.
      ...(subnetId === undefined || (zoneId === undefined && privateDnsZone !== "own")
        ? []
        : [hasRole(vnetIdOf(subnetId), `the VNET ${subnetParts(subnetId).vnet}`)]),
    ],
    /** That nodes take during an upgrade. */
    addresses: nodesInUpgrade(management.maxNodeCount),
  };
}
