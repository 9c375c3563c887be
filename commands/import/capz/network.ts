import { unknownSecret } from "../../../config/parse";
import { nodeSubnetName } from "capz-windows-platform/cluster/naming";
import { vnetIdIn } from "capz-windows-platform/company-network/outbound";
import { at, list, strings, text, textAt, type Plain } from "capz-windows-kit/untyped";
import { present } from "capz-windows-kit/present";
import { withoutUndefined } from "capz-windows-kit/without";
import { unlessEmpty, unlessNone, type Draft, type Open } from "../findings";
import { legalName } from "../values";
import { missingIn } from "../variables";
import type { CapiObject } from "./normal";

/** The network of a cluster, also one that others have made, or without a public address, as keys of a stack file. */

const rangesOf = (holder: unknown): string[] => strings(at(holder, "cidrBlocks"));

const isIpv6 = (cidr: string): boolean => cidr.includes(":");

/** The one network of IPv4; a stack has no others, and the comparison with its plan gives the reason. */
function cidrOf(holder: unknown): string | undefined {
  const [cidr, ...more] = rangesOf(holder).filter((one) => !isIpv6(one));
  return more.length > 0 ? undefined : cidr;
}

/** Ranges of a source that a stack cannot have: only the user knows whether the cluster does without them. */
const lostRange = (key: string, all: readonly string[]): Open => ({
  path: `network.${key}`,
  what: `one IPv4 range as a CIDR: the source has ${all.join(", ")}, and a stack has no second range and no IPv6`,
});

const subnetsOf = (networkSpec: unknown, role: "control-plane" | "node"): Plain[] =>
  list(at(networkSpec, "subnets")).filter((subnet) => subnet.role === role);

/** The subnet of pools that do not name one: that with the name of the stack's node subnet, otherwise the first. */
export const mainSubnet = (networkSpec: unknown): Plain | undefined => {
  const all = subnetsOf(networkSpec, "node");
  return all.find(({ name }) => name === nodeSubnetName) ?? all[0];
};

/** The name of a further subnet in a stack file; others may have used more characters. */
export const subnetKey = (name: unknown): string =>
  missingIn(text(name)).length > 0 ? text(name) : legalName(text(name), "subnet", 62);

/** The subnets of pools that name one. */
const furtherSubnets = (networkSpec: unknown, as: (subnet: Plain) => unknown): Plain | undefined =>
  unlessEmpty(
    Object.fromEntries(
      subnetsOf(networkSpec, "node")
        .filter((subnet) => subnet !== mainSubnet(networkSpec))
        .map((subnet) => [subnetKey(subnet.name), as(subnet)]),
    ),
  );

/** A VNET and its subnets that others have made. */
function existingKeys({ networkSpec, subscriptionID }: Plain): Plain {
  const vnet = at(networkSpec, "vnet");
  const vnetId = vnetIdIn(text(subscriptionID), textAt(vnet, "resourceGroup"), textAt(vnet, "name"));
  const idOf = (subnet: Plain | undefined): string | undefined =>
    subnet && (text(subnet.id) || `${vnetId}/subnets/${text(subnet.name)}`);
  const nameIn = (subnet: unknown, part: string): string | undefined =>
    textAt(subnet, part, "name") || undefined;
  const [[first], nodes] = [subnetsOf(networkSpec, "control-plane"), mainSubnet(networkSpec)];
  const [nodeSecurityGroup, group] = [nodes, first].map((subnet) => nameIn(subnet, "securityGroup"));
  return withoutUndefined({
    controlPlaneSubnetId: idOf(first),
    nodeSubnetId: idOf(nodes),
    poolSubnetIds: furtherSubnets(networkSpec, idOf),
    nodeSecurityGroup,
    controlPlaneSecurityGroup: group === nodeSecurityGroup ? undefined : group,
    routeTable: nameIn(nodes, "routeTable"),
  });
}

/** The peered VNETs, of the subscription of the cluster. CAPZ makes both sides; what it does not say is off in Azure. */
const peeringsOf = ({ networkSpec, subscriptionID, resourceGroup }: Plain) =>
  list(at(networkSpec, "vnet", "peerings")).map((peering, index) => {
    const name = text(peering.remoteVnetName);
    const group = text(peering.resourceGroup) || text(resourceGroup);
    const forward = peering.forwardPeeringProperties;
    return {
      key: missingIn(name).length > 0 ? `peered${index + 1}` : legalName(name, "vnet", 40),
      peering: withoutUndefined({
        ...{ vnetId: vnetIdIn(text(subscriptionID), group, name), remoteSide: "stack" },
        allowForwardedTraffic: at(forward, "allowForwardedTraffic") === true,
        useRemoteGateways: at(forward, "useRemoteGateways") === true ? true : undefined,
      }),
    };
  });

/** The zone with the name of a private API server. CAPZ makes it, unless it says None. */
function dnsOf({ networkSpec, subscriptionID, resourceGroup }: Plain): Plain | undefined {
  const zoneName = textAt(networkSpec, "privateDNSZoneName") || undefined;
  const group = textAt(networkSpec, "privateDNSZoneResourceGroup");
  if (at(networkSpec, "privateDNSZone") === "None") {
    return withoutUndefined({ manual: true, zoneName });
  }
  return group === "" || group === resourceGroup || zoneName === undefined
    ? unlessEmpty({ zoneName })
    : {
        zoneId: `/subscriptions/${text(subscriptionID)}/resourceGroups/${group}/providers/Microsoft.Network/privateDnsZones/${zoneName}`,
      };
}

/** CAPZ links the zone to the VNET and to those that are peered with it. */
function apiServerKeys(spec: Plain): Plain {
  const balancer = at(spec.networkSpec, "apiServerLB");
  const [link] = list(at(balancer, "privateLinks"));
  const dns = dnsOf(spec);
  const linked = dns?.manual === true ? [] : peeringsOf(spec).map(({ peering }) => peering.vnetId);
  const subscriptions = strings(link?.autoApprovedSubscriptions ?? link?.allowedSubscriptions);
  return withoutUndefined({
    private: true,
    ip: list(at(balancer, "frontendIPs")).map((one) => one.privateIP)[0],
    dns,
    linkedVnetIds: unlessNone(linked),
    // Who has made the endpoints, the source does not say.
    privateLink: link && { manual: true, subscriptions },
  });
}

/** Only a cluster whose VNET is peered or routed reaches a private API server, so not AKS in its own VNET. */
const ofPrivate: readonly Open[] = [
  {
    path: "managementKubeconfig",
    what: "npx pulumi config set --secret capz-windows:managementKubeconfig < FILE, the kubeconfig of a management cluster that reaches the private API server; no secret is ever read",
  },
  {
    path: "management.oidcIssuerUrl",
    what: "OIDC issuer of the management cluster, exactly as in its tokens; or remove it, with clusterApi.identity",
  },
];

const unlinked: Open = {
  path: "network.apiServer.linkedVnetIds",
  what: "a list with the ARM ID of the VNET of the management cluster, where the name of the API server must resolve; the source links none",
};

const zoneOfOthers = {
  from: "AzureCluster spec.networkSpec.privateDNSZone: None",
  why: "CAPZ makes no zone for the API server, and the source does not say who does: it is taken to be others",
  instead:
    "network.apiServer.dns: manual, as written; zoneName or zoneId alone for a record that the stack makes",
};

/** What CAPZ makes of a VNET without a range (CAPZ v1.27.0 internal/api/v1beta1/azurecluster_default.go). */
const defaultVnet = "10.0.0.0/8";

/** Names of the keys of ranges, for a question. */
const ranges = {
  vnetCidr: "the VNET",
  controlPlaneSubnetCidr: "the subnet of the control plane",
  nodeSubnetCidr: "the subnet of the nodes",
};

/** The ranges of a VNET of others that a source does not say. */
export const unknownRanges = (network: unknown): Open[] =>
  Object.entries(ranges)
    .filter(([key]) => at(network, key) === undefined)
    .map(([key, what]) => ({
      path: `network.${key}`,
      what: `range of ${what} as a CIDR, which others have made and the source does not say`,
      within: "network.existing",
    }));

const ofAzureCni: Open = {
  path: "network.podCidr",
  what: "one IPv4 range as a CIDR: the source gives pods addresses of its subnets (Azure CNI), and a stack those of a range of their own",
};

/** The keys `network` and those beside it, and what is open or left out. With Azure CNI, machines have addresses for pods. */
export function networkKeys(
  cluster: Plain,
  { name, spec }: CapiObject,
  hasAzureCni: boolean,
): Required<Draft> {
  const { networkSpec } = spec;
  const group = textAt(networkSpec, "vnet", "resourceGroup").toLowerCase();
  // CAPZ makes its own VNET in the resource group of the cluster.
  const isOfOthers = !["", (text(spec.resourceGroup) || name).toLowerCase()].includes(group);
  // With its gate APIServerILB, CAPZ gives a public API server a private address beside.
  const isPrivate = textAt(networkSpec, "apiServerLB", "type") === "Internal";
  const apiServer = isPrivate ? apiServerKeys(spec) : undefined;
  const peerings = Object.fromEntries(peeringsOf(spec).map(({ key, peering }) => [key, peering]));
  const subnets = {
    controlPlaneSubnetCidr: cidrOf(subnetsOf(networkSpec, "control-plane")[0]),
    nodeSubnetCidr: cidrOf(mainSubnet(networkSpec)),
  };
  const isDefault =
    !isOfOthers &&
    at(networkSpec, "vnet", "cidrBlocks") === undefined &&
    Object.values(subnets).some((cidr) => cidr !== undefined);
  const cidrs = {
    vnetCidr: isDefault ? defaultVnet : cidrOf(at(networkSpec, "vnet")),
    ...subnets,
  };
  const [pods, services] = ["pods", "services"].map((name) => at(cluster, "clusterNetwork", name));
  const holders: readonly (readonly [key: string, holder: unknown])[] = [
    ["vnetCidr", at(networkSpec, "vnet")],
    ["controlPlaneSubnetCidr", subnetsOf(networkSpec, "control-plane")[0]],
    ["nodeSubnetCidr", mainSubnet(networkSpec)],
  ];
  const ofPods = [...rangesOf(pods), ...rangesOf(services)];
  const lost = present(
    ...(isOfOthers ? [] : holders).map(
      ([key, holder]) =>
        rangesOf(holder).length > 0 && cidrOf(holder) === undefined && lostRange(key, rangesOf(holder)),
    ),
    hasAzureCni && ofAzureCni,
    !hasAzureCni &&
      ((rangesOf(pods).length > 0 && cidrOf(pods) === undefined) || ofPods.some(isIpv6)) &&
      lostRange("podCidr", ofPods),
    rangesOf(services).length > 0 &&
      cidrOf(services) === undefined &&
      lostRange("serviceCidr", rangesOf(services)),
  );
  const isManual = at(apiServer, "dns", "manual") === true;
  const isReached =
    isManual ||
    ["linkedVnetIds", "privateLink"].some((key) => at(apiServer, key) !== undefined) ||
    at(apiServer, "dns", "zoneId") !== undefined;
  return {
    config: withoutUndefined({
      network: (lost.length > 0 ? withoutUndefined : unlessEmpty)({
        ...cidrs,
        poolSubnets: furtherSubnets(networkSpec, cidrOf),
        podCidr: hasAzureCni || ofPods.some(isIpv6) ? undefined : cidrOf(pods),
        serviceCidr: cidrOf(services),
        existing: isOfOthers ? existingKeys(spec) : undefined,
        apiServer,
        peerings: isOfOthers ? undefined : unlessEmpty(peerings),
      }),
      management: isPrivate ? { kind: "existing" } : undefined,
      managementKubeconfig: isPrivate ? unknownSecret : undefined,
    }),
    open: present(
      ...lost,
      ...(isOfOthers ? unknownRanges(cidrs) : []),
      ...(isPrivate ? ofPrivate : []),
      isPrivate && !isReached && unlinked,
    ),
    leftOut: isManual ? [zoneOfOthers] : [],
  };
}
