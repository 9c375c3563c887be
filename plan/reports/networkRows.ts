import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { bastionNeeds, bastionSubnetName } from "capz-windows-platform/network/bastion";
import { azureVnetMtu, type ExpectedMtus } from "capz-windows-platform/network/mtu";
import { lineText, pathText, type ReachPath, stateWords } from "azure-network-paths";
import type { PathChange } from "../compare/stackDiff";
import type { PeeringModel, PrivateLinkModel } from "../model/cluster/types";
import { wayOutText } from "../model/cluster/outbound";
import type { ApiServerModel, ClusterModel, NetworkModel } from "../model/cluster/types";
import { copied, joined, rangesText, row, said, type ReportRow } from "./layout";
import { othersTitle } from "./others";

/** The network of a stack, in words: its ranges, the ways out and in, and who reaches whom. */

/** Which size of packets holds where. */
const mtuText = (os: string, { host, pod }: ExpectedMtus["linux"]): string =>
  `${os}: ${host.bytes} on hosts by ${host.from}, ${pod.orLess ? "at most " : ""}${pod.bytes} in pods by ${pod.from}`;

/** The smallest of all machines decides for a pod that may run anywhere. */
function smallestMtus({ network: { mtus }, pools }: ClusterModel): string {
  const kinds = pools.some(({ os }) => os === "windows") ? [mtus.linux, mtus.windows] : [mtus.linux];
  return `${Math.min(...kinds.map(({ host }) => host.bytes))} on hosts, ${Math.min(...kinds.map(({ pod }) => pod.bytes))} in pods`;
}

/** What Azure does with packets (docs/mtu.md); no property of a VNET says it. */
function carriesText({ mtu }: NetworkModel): string {
  if (mtu > azureVnetMtu) {
    return `VNET: Azure carries ${mtu} bytes in one piece between its machines, as far as their VM sizes are known to (docs/mtu.md)`;
  }
  const carries = `VNET: no MTU to set; Azure splits packets of more than ${azureVnetMtu} bytes`;
  return mtu === azureVnetMtu ? carries : `${carries}; network.mtu: ${mtu} bytes for the way behind it`;
}

/** Add-ons of which one gives pods their network, unless the users bring it. */
const isCni = ({ name }: ClusterModel["addons"][number]): boolean => ["calico", "flannel"].includes(name);

export const peeringText = ({ vnetId, cidrs }: PeeringModel): string =>
  `${resourceParts(vnetId).name} ${cidrs.join(", ") || "with ranges that others have given it"}`;

export const peeringDetails = ({ forwarded, gateway }: PeeringModel): string[] => [
  forwarded ? "forwarded packets come in" : "only packets of hosts in the peered VNET come in",
  ...(gateway ? ["its gateway leads to further networks"] : []),
];

/** Which packets do not go to the firewall: routes of Azure choose the longest prefix. */
const pastFirewall = ({ cidrs, gateway }: PeeringModel): string =>
  `packets to ${cidrs.join(", ") || "its ranges"}${gateway ? ", and to what the gateway announces by BGP," : ""} take this way and not that of 0.0.0.0/0, so the firewall does not see them`;

const peeringRow = (peering: PeeringModel, isFirewall: boolean): ReportRow =>
  row(
    `peering ${peering.name}`,
    joined(peeringText(peering), ...peeringDetails(peering)),
    `as ${peering.azureName} with ${peering.vnetId}`,
    isFirewall && pastFirewall(peering),
    ...(peering.remote.by === "stack"
      ? [`the other side is ${peering.remote.name}, which the stack makes, too`]
      : [
          "the other side is made by others; packets pass once both exist. As soon as `pulumi up` has made the VNET:",
          { command: peering.remote.command },
        ]),
  );

function egressRows({ egress }: NetworkModel): ReportRow[] {
  const { proxy, registryMirror: mirror, fallback = false, trustedCertificates: trusted = 0 } = egress ?? {};
  const elsewhere = fallback ? "or else from their registries" : "and from nowhere else";
  return [
    row("proxy", proxy),
    row("images", mirror !== undefined && `from ${mirror}, ${elsewhere}`),
    row(
      "trusted",
      trusted > 0 && `${trusted} certificate ${trusted === 1 ? "authority" : "authorities"} of your own`,
    ),
  ];
}

/** Calico's IPPool has natOutgoing, and Flannel's ConfigMap EnableSNAT and --ip-masq. */
const onlyInside =
  "only inside of the cluster: outside, packets of pods have the address of their node. A host outside with an address of this range, such as a DNS server, cannot be reached from pods";

/** The first line of each is a row of the summary. */
export function networkRows(cluster: ClusterModel): ReportRow[] {
  const { network, addons, pools } = cluster;
  const { bastion, byOthers, cidrs, mtus, outbound, dnsServers = [], managementVnetId } = network;
  const hasCni = addons.some(isCni);
  const isFirewall = outbound?.what === "firewall";
  return said(
    row("VNET", `${network.vnet} ${cidrs.join(", ")}`),
    row(
      "made by others",
      byOthers && `${network.vnetId} with its subnets, routes and security groups (${othersTitle})`,
    ),
    row("subnets", joined(...network.subnets.map((subnet) => `${subnet.name} ${subnet.cidrs.join(", ")}`))),
    row("pods", joined(...network.podCidrs), hasCni && onlyInside),
    row(
      "MTU",
      smallestMtus(cluster),
      carriesText(network),
      mtuText("Linux", mtus.linux),
      pools.some(({ os }) => os === "windows") && mtuText("Windows", mtus.windows),
    ),
    row("CNI", !hasCni && "none of this stack: nodes are not ready until yours runs (addons.cni)"),
    row(
      "services",
      joined(...network.serviceCidrs),
      "only inside of the cluster. A host outside with an address of this range may not be reached from machines and pods, because a Service answers",
    ),
    row("outbound", wayOutText(network)),
    // What whoever runs the firewall asks for.
    row(
      "firewall",
      isFirewall &&
        byOthers === undefined &&
        `lets ${cidrs.join(", ")} out to the hosts below, leads answers back there, and lets nothing of the Internet in`,
    ),
    // What others make so that the controllers come in.
    row(
      "management",
      managementVnetId &&
        `others peer this VNET with ${resourceParts(managementVnetId).name} of the management cluster, or route between the two:`,
      managementVnetId,
    ),
    ...(network.peerings ?? []).map((peering) => peeringRow(peering, isFirewall)),
    row(
      "DNS",
      joined(...dnsServers),
      dnsServers.length > 0 && "machines have no names there, only addresses",
    ),
    row(
      "Azure Bastion",
      bastion &&
        joined(
          `${bastion.name} in ${bastionSubnetName} ${bastion.cidr}, with a public address`,
          bastion.zones.length > 0 && `zones ${bastion.zones.join(", ")}`,
        ),
    ),
    ...egressRows(network),
  );
}

/** "Azure Bastion hub-bastion of others" */
export function wayInText({ wayIn, bastion }: NetworkModel): string | undefined {
  return wayIn?.kind === "jump"
    ? `the jump host ${wayIn.login}`
    : wayIn && `Azure Bastion ${wayIn.name}${bastion === undefined ? " of others" : ""}`;
}

/** Who reaches machines by ssh and RDP, and through what. */
export const loginText = (network: NetworkModel): string | undefined => {
  const way = wayInText(network);
  return (
    way &&
    `${joined(rangesText(network.bastion?.allowedCidrs ?? []), `through ${way}`)}; no public port for ssh`
  );
};

/**
 * Of a Bastion of others (learn.microsoft.com, "Azure Bastion FAQ": no route table, and no default route that a gateway
 * announces; its answers then need a way past the firewall).
 */
export const bastionOfOthers = ({ wayIn, bastion, vnet }: NetworkModel): string | false =>
  wayIn?.kind === "bastion" &&
  bastion === undefined &&
  `${wayIn.name} has the SKU ${bastionNeeds.skus.join(" or ")} with ${bastionNeeds.switches.join(" and ")}, is in a VNET that is peered with ${vnet}, and ${bastionSubnetName} has no route table and no route 0.0.0.0/0 by a gateway or a Virtual WAN; routes of ${vnet} to it do not lead to a firewall`;

/** How the management cluster reaches a private API server from a VNET that is not peered. */
const linkLines = ({ id, subscriptions, subnetId, commands }: PrivateLinkModel): ReportRow["lines"] => [
  ...(subnetId === undefined
    ? [
        "others make the private endpoint, and its record, in the VNET of the management cluster; once CAPZ has made the service, while `pulumi up` waits for the API server:",
      ]
    : [
        "the management cluster resolves the name to a private endpoint, which the stack makes with a zone for that VNET alone, in",
        subnetId,
      ]),
  ...copied(commands),
  `on the service ${id}, which accepts endpoints of the subscriptions ${subscriptions.join(", ")}`,
];

/** Who finds a private API server, and what others must add. */
export function privateRows({ host, private: own }: ApiServerModel, network: NetworkModel): ReportRow[] {
  if (own === undefined) {
    return [];
  }
  const record = `${host} A ${own.ip}`;
  return said(
    row(
      "name",
      ...(own.record === "others"
        ? [
            `for your DNS team, before \`pulumi up\`: ${record}, in the VNETs of the cluster, the management cluster and yours`,
          ]
        : [
            `${record}, in a ${own.record}`,
            own.zoneId,
            `linked to ${own.links.join(", ")}; DNS servers elsewhere forward ${own.zone} to one in these VNETs`,
          ]),
    ),
    row("private link", ...(own.link === undefined ? [] : linkLines(own.link))),
    row(
      "public addresses",
      (network.natGateway === undefined
        ? "none of the stack, neither for the API server nor for outbound traffic"
        : "none for the API server; the NAT gateway's is for outbound traffic only") +
        (network.bastion === undefined ? "" : "; that of Azure Bastion is for ssh and RDP"),
    ),
  );
}

/** Where machines go as they were told when they were made (model/reach/subject.ts). */
const isTold = (to: string): boolean => /^(registries$|proxy |mirror )/.test(to);

/** "open → shut by own of rt" */
export function changeText({ to, before, after, by }: PathChange): string {
  if (before === after) {
    return `still ${stateWords[after]}, now: ${by}`;
  }
  if (after === "none" && isTold(to)) {
    return `${stateWords[before]} → not needed by new machines; those that run use it until they are replaced`;
  }
  const isOpen = after === "open" || after === "shut" || ![before, after].includes("unknown");
  return `${stateWords[before]} → ${stateWords[after]}${isOpen ? " by" : ":"} ${by}`;
}

export const pathChangeRow = (change: PathChange): ReportRow => row(pathText(change), changeText(change));

/** Counts, and what is not as it must be or not known; a report in JSON has all of them. */
export function reachSummary(reach: readonly ReachPath[]): ReportRow {
  const count = (state: ReachPath["state"]) =>
    reach.filter((one) => one.state === state && one.wanted === state).length;
  const unknown = reach.filter(({ state }) => state === "unknown");
  return row(
    "network paths",
    reach.length > 0 &&
      joined(
        `${count("open")} open and ${count("shut")} shut as they must be`,
        unknown.length > 0 && `${unknown.length} up to others`,
      ),
    ...reach.filter(({ state, wanted }) => state !== "unknown" && state !== wanted).map(lineText),
    ...unknown.map(lineText),
  );
}
