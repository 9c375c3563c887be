import { vnetIdIn } from "capz-windows-platform/company-network/outbound";
import { networkNames } from "capz-windows-platform/cluster/naming";
import { azureDns, tcpHeaders, vpnSegment } from "capz-windows-platform/company-network/peerings";
import { hasAddress, mustParseCidr, overlaps } from "capz-windows-platform/network/addressing";
import { vxlanMtu } from "capz-windows-platform/network/mtu";
import { byName } from "capz-windows-kit/byName";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { privateApiServer } from "../apiServer";
import { present } from "capz-windows-kit/present";
import { peeringsOf } from "../managementReach";
import type { Settings } from "../settings";

/** Peerings of the VNET with others, and the DNS servers that are reached by them. */

const place = "network.peerings";

type Named = readonly [name: string, peering: Settings["network"]["peerings"][string]];

/** With that of the management cluster. */
const named = (settings: Settings): Named[] => byName(peeringsOf(settings));

const meet = (a: string, b: string): boolean => overlaps(mustParseCidr(a), mustParseCidr(b));

/** Keys that belong to whoever has made the VNET. */
function foreignProblems({ network }: Settings): Problem[] {
  const problem = (key: "peerings" | "dnsServers", what: string): Problem => ({
    path: `network.${key}`,
    uses: [`network.${key}`, "network.existing"],
    problem: `the VNET of network.existing belongs to others, and so do its ${what}: the stack changes nothing of it`,
    allowed: `only with a VNET of the stack; the network team sets its ${what}`,
  });
  return network.existing === undefined
    ? []
    : present<Problem>(
        Object.keys(network.peerings).length > 0 && problem("peerings", "peerings"),
        network.dnsServers !== undefined && problem("dnsServers", "DNS servers"),
      );
}

/** The other VNET: neither the own one nor that of another peering. */
function vnetProblems({ azure, clusterName }: Settings, all: readonly Named[]): Problem[] {
  const own = vnetIdIn(azure.subscriptionId, azure.resourceGroup, networkNames(clusterName).vnet);
  const folded = all.map(([, { vnetId }]) => vnetId.toLowerCase());
  return all.flatMap(([name, { vnetId }], index): Problem[] => {
    const first = folded.indexOf(vnetId.toLowerCase());
    const isOwn = vnetId.toLowerCase() === own.toLowerCase();
    const common = { path: `${place}.${name}.vnetId`, value: vnetId, uses: [place, "azure", "clusterName"] };
    return present<Problem>(
      isOwn && { ...common, problem: "the VNET of the stack itself", allowed: "the ARM ID of another VNET" },
      !isOwn &&
        first !== index && {
          ...common,
          problem: `the same VNET as ${place}.${all[first]?.[0]}: Azure has one peering between two VNETs`,
          allowed: "each VNET once",
        },
    );
  });
}

const ranges = [
  ["vnetCidr", "the VNET", "Azure refuses the peering"],
  ["podCidr", "the pods", "nodes would look for the hosts of the peered VNET among the pods"],
  ["serviceCidr", "the Services", "nodes would take the hosts of the peered VNET for Services"],
] as const;

/** Ranges that overlap: the one of the stack gives way, because the other VNET is there already. */
function overlapProblems(settings: Settings, all: readonly Named[]): Problem[] {
  const { network } = settings;
  const spaces = all.flatMap(([name, { addressSpaces }]) => addressSpaces.map((cidr) => ({ name, cidr })));
  const own = ranges.flatMap(([key, what, why]): Problem[] => {
    const met = spaces.find(({ cidr }) => meet(cidr, network[key]));
    return present(
      met !== undefined && {
        path: `network.${key}`,
        value: network[key],
        uses: [`network.${key}`, place],
        problem: `overlaps ${met.cidr} of the peering ${met.name} (${place}.${met.name}.addressSpaces): ${why}`,
        allowed: `a range of ${what} that overlaps no peered VNET`,
      },
    );
  });
  const among = all.flatMap(([name, { addressSpaces, vnetId }], index): Problem[] => {
    const met = all
      .slice(0, index)
      .filter(([, earlier]) => earlier.vnetId.toLowerCase() !== vnetId.toLowerCase())
      .flatMap(([other, peering]) => peering.addressSpaces.map((cidr) => ({ other, cidr })))
      .find(({ cidr }) => addressSpaces.some((one) => meet(one, cidr)));
    return present(
      met !== undefined && {
        path: `${place}.${name}.addressSpaces`,
        value: addressSpaces,
        uses: [place],
        problem: `overlaps ${met.cidr} of the peering ${met.other}: Azure does not peer a VNET with two that overlap`,
        allowed: "ranges that no other peered VNET has",
      },
    );
  });
  return [...own, ...among];
}

function gatewayProblems(all: readonly Named[]): Problem[] {
  const [first, ...more] = all.filter(([, { useRemoteGateways }]) => useRemoteGateways);
  return more.map(([name]) => ({
    path: `${place}.${name}.useRemoteGateways`,
    value: true,
    uses: [place],
    problem: `${place}.${first?.[0]} has it, too, and Azure lets a VNET use the gateways of one other VNET only`,
    allowed: "one peering with useRemoteGateways: true",
  }));
}

/** DNS servers that machines would look for among pods or Services. */
const dnsProblems = ({ network }: Settings): Problem[] =>
  (network.dnsServers ?? []).flatMap((address, index) =>
    (["podCidr", "serviceCidr"] as const)
      .filter((key) => hasAddress(network[key], address))
      .map((key) => ({
        path: `network.dnsServers[${index}]`,
        value: address,
        uses: ["network.dnsServers", `network.${key}`],
        problem: `in ${network[key]} (network.${key}), so machines would not look for it outside of the cluster`,
        allowed: "the address of a server in the VNET, in a peered VNET or behind a gateway",
      })),
  );

export function peeringRules(settings: Settings): Problem[] {
  if (settings.network.existing !== undefined) {
    return foreignProblems(settings);
  }
  const all = named(settings);
  return [
    ...vnetProblems(settings, all),
    ...overlapProblems(settings, all),
    ...gatewayProblems(all),
    ...dnsProblems(settings),
  ];
}

/** Packets through a VPN gateway of the other VNET. */
function mtuWarning({ network: { mtu } }: Settings, [name]: Named): Warning | false {
  const largest = vpnSegment + tcpHeaders;
  return (
    mtu > largest && {
      path: `${place}.${name}.useRemoteGateways`,
      message: `a VPN gateway carries TCP segments of ${vpnSegment} bytes, so packets of ${vpnSegment} + ${tcpHeaders} = ${largest}, and machines send ${mtu} (network.mtu): TCP adapts where the VPN device clamps the MSS at ${vpnSegment}, larger UDP packets are fragmented or lost. With mtu: ${largest} pods have ${largest} - ${mtu - vxlanMtu(mtu)} = ${vxlanMtu(largest)}; an ExpressRoute gateway carries 1500, and needs no change`,
    }
  );
}

const hasFirewallElsewhere = (settings: Settings, address: string): boolean =>
  ![settings.network.vnetCidr, ...named(settings).flatMap(([, { addressSpaces }]) => addressSpaces)].some(
    (cidr) => hasAddress(cidr, address),
  );

function dnsWarning(settings: Settings): Warning | false {
  const { dnsServers, existing } = settings.network;
  const own = privateApiServer(settings);
  return (
    dnsServers !== undefined &&
    existing === undefined &&
    !dnsServers.includes(azureDns) && {
      path: "network.dnsServers",
      message:
        own === undefined
          ? `names of Azure, such as those of machines and of private zones, resolve only where these servers forward them to ${azureDns} in a VNET that is linked to the zones`
          : `the first machine asks them for apiserver.${own.zoneName}: before \`pulumi up\`, let them forward ${own.zoneName} to ${azureDns}, from a VNET that is linked to the zone (network.apiServer.linkedVnetIds); otherwise no machine joins the cluster`,
    }
  );
}

export function peeringWarnings(settings: Settings): Warning[] {
  const { outbound, existing } = settings.network;
  const firewall = outbound?.type === "firewall" ? outbound.firewallAddress : undefined;
  return present<Warning>(
    ...named(settings).flatMap((one) => {
      const [name, { useRemoteGateways, remoteSide }] = one;
      return useRemoteGateways
        ? [
            mtuWarning(settings, one),
            remoteSide === "manual" && {
              path: `${place}.${name}.useRemoteGateways`,
              message: `Azure accepts it only once the other side exists and allows gateway transit, and that side needs the VNET of the stack: for a first deployment leave useRemoteGateways out, have the command of the plan run, and add it afterwards; or set remoteSide: stack`,
            },
          ]
        : [];
    }),
    dnsWarning(settings),
    firewall !== undefined &&
      existing === undefined &&
      hasFirewallElsewhere(settings, firewall) && {
        path: "network.outbound.firewallAddress",
        message: `${firewall} is in no VNET of network.peerings: machines reach it only once the VNET of the stack is peered with that of the firewall, and those that start before have no way out`,
      },
  );
}
