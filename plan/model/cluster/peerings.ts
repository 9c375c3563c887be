import { privateApiServerHost } from "capz-windows-platform/cluster/privateApiServer";
import {
  peeringNames,
  remoteSideCommand,
  type Peering,
} from "capz-windows-platform/company-network/peerings";
import { linkCommands, linkServiceId } from "capz-windows-platform/company-network/privateLink";
import { byName } from "capz-windows-kit/byName";
import { at, list, strings, textAt } from "capz-windows-kit/untyped";
import { componentsIn, ofType, type PlanResources } from "./resources";

/** Peerings of the VNET, from the args of the component that makes them; it has the defaults of the stack file. */
export function readPeerings(resources: PlanResources, ownVnetId: string) {
  const [component] = componentsIn(resources, "VnetPeerings");
  const peerings = (component?.inputs.peerings ?? {}) as Readonly<Record<string, Peering>>;
  const clusterName = textAt(component?.inputs, "clusterName");
  return byName(peerings).map(([name, peering]) => ({
    /** In the stack file, and of the stack's side. */
    name,
    azureName: peeringNames(clusterName, name).own,
    vnetId: peering.vnetId,
    cidrs: peering.addressSpaces,
    /** Whether packets come in that the other VNET only forwards. */
    forwarded: peering.allowForwardedTraffic,
    /** Whether the gateway of the other VNET is used. */
    gateway: peering.useRemoteGateways,
    /** The other side: its name, or the command with which others make it. */
    remote:
      peering.remoteSide === "stack"
        ? { by: "stack" as const, name: peeringNames(clusterName, name).remote }
        : { by: "others" as const, command: remoteSideCommand(clusterName, ownVnetId, peering) },
  }));
}

/** DNS servers of the VNET; none where it has those of Azure. */
export const readDnsServers = (resources: PlanResources): string[] =>
  strings(at(ofType(resources, "VirtualNetwork")[0]?.inputs, "dhcpOptions", "dnsServers"));

/** By which the management cluster reaches the API server. */
export function readPrivateLink(resources: PlanResources) {
  const [azureCluster] = ofType(resources, "AzureCluster");
  const spec = azureCluster?.inputs.spec;
  const [link] = list(at(spec, "networkSpec", "apiServerLB", "privateLinks"));
  if (link === undefined) {
    return undefined;
  }
  const [subscription, group] = [textAt(spec, "subscriptionID"), textAt(spec, "resourceGroup")];
  const id = linkServiceId(subscription, group, textAt(azureCluster?.inputs, "metadata", "name"));
  const [endpoint] = ofType(resources, "PrivateEndpoint");
  return {
    /** Of its service, which CAPZ makes. */
    id,
    /** Whose private endpoints are accepted. */
    subscriptions: strings(link.allowedSubscriptions),
    /** The subnet in which the stack makes the endpoint; elsewhere others make it by these commands. */
    ...(endpoint === undefined ? {} : { subnetId: textAt(endpoint.inputs, "subnet", "id") }),
    commands:
      endpoint === undefined
        ? linkCommands(id, privateApiServerHost(textAt(spec, "networkSpec", "privateDNSZoneName")))
        : [],
  };
}
