import { unknownSecret } from "../../../config/parse";
import { vnetIdIn } from "../../../platform/network/outbound";
import { at, list, strings, text, textAt, type Plain } from "../../../tools/untyped";
import { withoutUndefined } from "../../../tools/without";
import type { Draft, LeftOut, Open } from "../findings";
import { legalName } from "../foreign";
import { missingIn } from "../variables";
import { unlessEmpty } from "./machines";
import type { CapiObject } from "./normal";
import { cidrOf, furtherSubnets, mainSubnet, subnetKey } from "./subnets";

/** An API server without a public address, a VNET of others and peerings, as keys of a stack file. */

const subnetIn = (spec: unknown, role: string): Plain | undefined =>
  list(at(spec, "networkSpec", "subnets")).find((subnet) => subnet.role === role);

/** Whether CAPZ takes the VNET from others: it makes its own in the resource group of the cluster. */
const isOfOthers = ({ name, spec }: CapiObject): boolean =>
  !["", (text(spec.resourceGroup) || name).toLowerCase()].includes(
    textAt(spec, "networkSpec", "vnet", "resourceGroup").toLowerCase(),
  );

/** The API server has no public address; with its gate APIServerILB, CAPZ gives a public one a private address beside. */
const isPrivate = (spec: unknown): boolean =>
  textAt(spec, "networkSpec", "apiServerLB", "type") === "Internal";

function existingKeys(spec: Plain): Plain {
  const vnet = at(spec, "networkSpec", "vnet");
  const vnetId = vnetIdIn(text(spec.subscriptionID), textAt(vnet, "resourceGroup"), textAt(vnet, "name"));
  const idOf = (subnet: Plain | undefined): string | undefined =>
    subnet === undefined ? undefined : text(subnet.id) || `${vnetId}/subnets/${text(subnet.name)}`;
  const groupOf = (subnet: unknown): string | undefined =>
    textAt(subnet, "securityGroup", "name") || undefined;
  const [first, nodes] = [subnetIn(spec, "control-plane"), mainSubnet(spec.networkSpec)];
  return withoutUndefined({
    controlPlaneSubnetId: idOf(first),
    nodeSubnetId: idOf(nodes),
    poolSubnetIds: unlessEmpty(
      Object.fromEntries(
        furtherSubnets(spec.networkSpec).map((subnet) => [subnetKey(subnet.name), idOf(subnet)]),
      ),
    ),
    nodeSecurityGroup: groupOf(nodes),
    controlPlaneSecurityGroup: groupOf(first) === groupOf(nodes) ? undefined : groupOf(first),
    routeTable: textAt(nodes, "routeTable", "name") || undefined,
  });
}

/** The peered VNETs, by ARM ID. CAPZ knows those of the subscription of the cluster only. */
const peered = (spec: Plain) =>
  list(at(spec, "networkSpec", "vnet", "peerings")).map((peering) => ({
    ...{ peering, vnetName: text(peering.remoteVnetName) },
    vnetId: vnetIdIn(
      text(spec.subscriptionID),
      text(peering.resourceGroup) || text(spec.resourceGroup),
      text(peering.remoteVnetName),
    ),
  }));

/** CAPZ makes both sides of a peering. What it does not say is off in Azure. */
const peeringKeys = (spec: Plain): Plain | undefined =>
  unlessEmpty(
    Object.fromEntries(
      peered(spec).map(({ peering, vnetName, vnetId }, index) => [
        missingIn(vnetName).length > 0 ? `peered${index + 1}` : legalName(vnetName, "vnet", 40),
        withoutUndefined({
          ...{ vnetId, remoteSide: "stack" },
          allowForwardedTraffic: at(peering, "forwardPeeringProperties", "allowForwardedTraffic") === true,
          useRemoteGateways:
            at(peering, "forwardPeeringProperties", "useRemoteGateways") === true ? true : undefined,
        }),
      ]),
    ),
  );

/** CAPZ makes the zone, unless it says None, and links it to the VNET and to those that are peered with it. */
function apiServerKeys(spec: Plain): Plain {
  const { privateDNSZone, privateDNSZoneName, privateDNSZoneResourceGroup, apiServerLB } =
    (spec.networkSpec ?? {}) as Plain;
  const zoneName = text(privateDNSZoneName) || undefined;
  const group = text(privateDNSZoneResourceGroup);
  const [link] = list(at(apiServerLB, "privateLinks"));
  const linkedVnetIds = peered(spec).map(({ vnetId }) => vnetId);
  const isManual = privateDNSZone === "None";
  const dns = (): Plain | undefined => {
    if (isManual) {
      return withoutUndefined({ manual: true, zoneName });
    }
    if (group === "" || group === spec.resourceGroup || zoneName === undefined) {
      return unlessEmpty(withoutUndefined({ zoneName }));
    }
    return {
      zoneId: `/subscriptions/${text(spec.subscriptionID)}/resourceGroups/${group}/providers/Microsoft.Network/privateDnsZones/${zoneName}`,
    };
  };
  return withoutUndefined({
    private: true,
    ip: list(at(apiServerLB, "frontendIPs")).map((one) => one.privateIP)[0],
    dns: dns(),
    linkedVnetIds: isManual || linkedVnetIds.length === 0 ? undefined : linkedVnetIds,
    // Who has made the endpoints, the source does not say.
    privateLink:
      link === undefined
        ? undefined
        : {
            manual: true,
            subscriptions: strings(link.autoApprovedSubscriptions ?? link.allowedSubscriptions),
          },
  });
}

/** A range of a VNET of others that the source does not say. */
export const askedRange = (key: string, what: string): Open => ({
  path: `network.${key}`,
  what: `range of ${what} as a CIDR, which others have made and the source does not say`,
});

export const askedRanges = {
  vnetCidr: "the VNET",
  controlPlaneSubnetCidr: "the subnet of the control plane",
  nodeSubnetCidr: "the subnet of the nodes",
};

function ranges(spec: Plain): Open[] {
  const holders: Readonly<Record<string, unknown>> = {
    vnetCidr: at(spec, "networkSpec", "vnet"),
    controlPlaneSubnetCidr: subnetIn(spec, "control-plane"),
    nodeSubnetCidr: mainSubnet(spec.networkSpec),
  };
  return Object.entries(askedRanges)
    .filter(([key]) => cidrOf(holders[key]) === undefined)
    .map(([key, what]) => askedRange(key, what));
}

/** Only a cluster whose VNET is peered or routed reaches a private API server, so not AKS in its own VNET. */
export const ofPrivate: { readonly config: Plain; readonly open: readonly Open[] } = {
  config: { management: { kind: "existing" }, managementKubeconfig: unknownSecret },
  open: [
    {
      path: "managementKubeconfig",
      what: "npx pulumi config set --secret capz-windows:managementKubeconfig < FILE, the kubeconfig of a management cluster that reaches the private API server; no secret is ever read",
    },
    {
      path: "management.oidcIssuerUrl",
      what: "OIDC issuer of the management cluster, exactly as in its tokens; or remove it, with clusterApi.identity",
    },
  ],
};

export const unlinked: Open = {
  path: "network.apiServer.linkedVnetIds",
  what: "a list with the ARM ID of the VNET of the management cluster, where the name of the API server must resolve; the source links none",
};

const zoneOfOthers: LeftOut = {
  from: "AzureCluster spec.networkSpec.privateDNSZone: None",
  why: "CAPZ makes no zone for the API server, and the source does not say who does: it is taken to be others",
  instead:
    "network.apiServer.dns: manual, as written; zoneName or zoneId alone for a record that the stack makes",
};

/** The keys below `network`, those beside it, and what is open or left out. */
export function placedNetwork(azureCluster: CapiObject): Required<Draft> & { readonly network: Plain } {
  const { spec } = azureCluster;
  const [isForeign, isInternal] = [isOfOthers(azureCluster), isPrivate(spec)];
  const apiServer = isInternal ? apiServerKeys(spec) : undefined;
  const isManual = at(apiServer, "dns", "manual") === true;
  const needsLink =
    isInternal &&
    !isManual &&
    apiServer?.linkedVnetIds === undefined &&
    apiServer?.privateLink === undefined &&
    at(apiServer, "dns", "zoneId") === undefined;
  return {
    network: withoutUndefined({
      existing: isForeign ? existingKeys(spec) : undefined,
      apiServer,
      peerings: isForeign ? undefined : peeringKeys(spec),
    }),
    config: isInternal ? ofPrivate.config : {},
    open: [
      ...(isForeign ? ranges(spec) : []),
      ...(isInternal ? ofPrivate.open : []),
      ...(needsLink ? [unlinked] : []),
    ],
    leftOut: isManual ? [zoneOfOthers] : [],
  };
}
