import { azureDns } from "capz-windows-platform/company-network/peerings";
import { decide, prefixesOf, rulesOfOthers, type Direction, type Packet } from "./rules";
import { samples } from "./ranges";
import { route, routesOfOthers, wayBack, wayOut } from "./routes";
import { all, isPrivate, numberOf, open, shut, type Subnet, type Topology, type Verdict } from "./topology";

/** Whether connections pass, there by the rules and routes of both ends, and back by routes alone: groups are stateful. */

export interface Port {
  readonly protocol: "Tcp" | "Udp" | "Icmp";
  readonly port: number;
}

const routePrefixes = ({ subnets, cidrs, peerings }: Topology): string[] => [
  ...subnets.flatMap(({ table }) => (table?.routes ?? []).map(({ prefix }) => prefix)),
  ...cidrs,
  ...peerings.flatMap((peering) => peering.cidrs),
];

/** Every pair of addresses that rules or routes may tell from others. */
const pairs = (
  topology: Topology,
  from: readonly string[],
  to: readonly string[],
  groups: readonly (Subnet["group"] | undefined)[],
  { protocol, port }: Port,
): Packet[] => {
  const cuts = [...groups.map(prefixesOf), routePrefixes(topology)];
  const targets = samples(to, ...cuts);
  return samples(from, ...cuts).flatMap((source) =>
    targets.map((target) => ({ source, target, from, to, protocol, port })),
  );
};

/** Between two subnets of the VNET, or within one. */
export const between = (topology: Topology, from: Subnet, to: Subnet, port: Port): Verdict[] =>
  pairs(topology, from.cidrs, to.cidrs, [from.group, to.group], port).flatMap((packet) => [
    decide(from.group, "Outbound", packet, topology),
    route(from, packet.target, topology, packet.to),
    decide(to.group, "Inbound", packet, topology),
    route(to, packet.source, topology, packet.from),
  ]);

/** From a subnet to ranges outside of the VNET. */
export const outOf = (topology: Topology, from: Subnet, to: readonly string[], port: Port): Verdict[] =>
  pairs(topology, from.cidrs, to, [from.group], port).flatMap((packet) => [
    decide(from.group, "Outbound", packet, topology),
    (isPrivate(packet.target) ? route : wayOut)(from, packet.target, topology, to),
  ]);

/**
 * From ranges outside of the VNET into a subnet.
 * @param isPublic - whether a public load balancer leads there; without one, nothing comes from public addresses
 */
export const into = (
  topology: Topology,
  from: readonly string[],
  to: Subnet,
  port: Port,
  isPublic: boolean,
): Verdict[] =>
  pairs(topology, from, to.cidrs, [to.group], port).flatMap((packet) =>
    isPrivate(packet.source) || isPublic
      ? [
          decide(to.group, "Inbound", packet, topology),
          (isPrivate(packet.source) ? route : wayBack)(to, packet.source, topology, from),
        ]
      : [
          shut("no public address leads there", {
            path: "network.apiServer",
            allowed: "private networks from which the connections come",
            write: "the private range of the clients, instead of a public one",
          }),
        ],
  );

/** What others keep on a subnet, where the addresses of the other end are not known. */
export const keptByOthers = (subnet: Subnet, direction: Direction, end: string): Verdict[] => [
  ...(subnet.group !== undefined && subnet.group.rules === undefined
    ? [rulesOfOthers(subnet.group, direction, [end])]
    : []),
  ...(subnet.table !== undefined && subnet.table.routes === undefined ? [routesOfOthers(subnet, [end])] : []),
];

/** Azure's DNS, which security groups do not concern, but by the tag of it. */
export const azureDnsFrom = (topology: Topology, from: Subnet): Verdict => {
  const tag = "AzurePlatformDNS";
  const rules = (from.group?.rules ?? []).filter(({ to }) => to.includes(tag));
  const named = rules.map((one) => ({ ...one, to: ["*"] }));
  const target = numberOf(azureDns);
  return from.group === undefined || named.length === 0
    ? open("Azure's DNS, which no rule concerns")
    : all(
        samples(from.cidrs, prefixesOf(from.group)).map((source) =>
          decide(
            { name: from.group?.name ?? "", rules: named },
            "Outbound",
            { source, target, from: from.cidrs, to: [], protocol: "Udp", port: 53 },
            topology,
          ),
        ),
      );
};
