import { peeringNames, remoteSideCommand, type Peering } from "../../../../platform/network/peerings";
import { byName } from "../../../../tools/byName";
import { at, strings, textAt } from "../../../../tools/untyped";
import { componentsIn, ofType, type PlanResources } from "./resources";
import type { PeeringModel } from "./peeringModel";

/** Peerings of the VNET, from the args of the component that makes them; it has the defaults of the stack file. */
export function readPeerings(resources: PlanResources, ownVnetId: string): PeeringModel[] {
  const [component] = componentsIn(resources, "VnetPeerings");
  const peerings = (component?.inputs.peerings ?? {}) as Readonly<Record<string, Peering>>;
  const clusterName = textAt(component?.inputs, "clusterName");
  return byName(peerings).map(([name, peering]) => ({
    name,
    azureName: peeringNames(clusterName, name).own,
    vnetId: peering.vnetId,
    cidrs: peering.addressSpaces,
    forwarded: peering.allowForwardedTraffic,
    gateway: peering.useRemoteGateways,
    remote:
      peering.remoteSide === "stack"
        ? { by: "stack", name: peeringNames(clusterName, name).remote }
        : { by: "others", command: remoteSideCommand(clusterName, ownVnetId, peering) },
  }));
}

/** DNS servers of the VNET; none where it has those of Azure. */
export const readDnsServers = (resources: PlanResources): string[] =>
  strings(at(ofType(resources, "VirtualNetwork")[0]?.inputs, "dhcpOptions", "dnsServers"));
