import { privateApiServerHost } from "../../../../platform/cluster/privateApiServer";
import { peeringNames, remoteSideCommand, type Peering } from "../../../../platform/network/peerings";
import { linkCommands, linkServiceId } from "../../../../platform/network/privateLink";
import { byName } from "../../../../tools/byName";
import { at, list, strings, textAt } from "../../../../tools/untyped";
import { componentsIn, ofType, type PlanResources } from "./resources";
import type { PeeringModel, PrivateLinkModel } from "./peeringModel";

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

/** By which the management cluster reaches the API server. */
export function readPrivateLink(resources: PlanResources): PrivateLinkModel | undefined {
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
    id,
    subscriptions: strings(link.allowedSubscriptions),
    ...(endpoint === undefined
      ? {
          commands: linkCommands(id, privateApiServerHost(textAt(spec, "networkSpec", "privateDNSZoneName"))),
        }
      : { subnetId: textAt(endpoint.inputs, "subnet", "id"), commands: [] }),
  };
}
