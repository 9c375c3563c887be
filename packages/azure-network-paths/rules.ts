import { isRecord, list, numberAt, strings, text } from "capz-windows-kit/untyped";
import {
  hasPrefix,
  isPrivate,
  open,
  shut,
  unknown,
  type SecurityGroup,
  type SecurityRule,
  type Topology,
  type Verdict,
} from "./topology";
import { isInside, once, tagsIn } from "./ranges";

/** What a security group says of a packet. */

export interface Packet {
  readonly source: number;
  readonly target: number;
  /** The ranges for which both stand. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Tcp or Udp. */
  readonly protocol: string;
  readonly port: number;
}

export type Direction = SecurityRule["direction"];

const rule = (
  direction: Direction,
  priority: number,
  name: string,
  access: SecurityRule["access"],
  from: string,
  to: string,
): SecurityRule => ({
  ...{ direction, priority, name, access, from: [from], to: [to] },
  ...{ protocol: "*", sourcePorts: ["*"], ports: ["*"] },
});

/** https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview#default-security-rules */
export const defaultRules: readonly SecurityRule[] = [
  rule("Inbound", 65_000, "AllowVnetInBound", "Allow", "VirtualNetwork", "VirtualNetwork"),
  rule("Inbound", 65_001, "AllowAzureLoadBalancerInBound", "Allow", "AzureLoadBalancer", "*"),
  rule("Inbound", 65_500, "DenyAllInBound", "Deny", "*", "*"),
  rule("Outbound", 65_000, "AllowVnetOutBound", "Allow", "VirtualNetwork", "VirtualNetwork"),
  rule("Outbound", 65_001, "AllowInternetOutBound", "Allow", "*", "Internet"),
  rule("Outbound", 65_500, "DenyAllOutBound", "Deny", "*", "*"),
];

/** A rule as Pulumi writes it, or with `properties`, as Azure answers. */
function readRule(raw: unknown): SecurityRule {
  const own = isRecord(raw) ? { ...raw, ...(isRecord(raw.properties) ? raw.properties : {}) } : {};
  const values = (one: string, many: string): string[] =>
    [text(own[one]), ...strings(own[many])].filter((value) => value !== "");
  return {
    name: text(own.name),
    priority: numberAt(own, "priority") ?? 0,
    direction: own.direction === "Outbound" ? "Outbound" : "Inbound",
    access: own.access === "Deny" ? "Deny" : "Allow",
    protocol: text(own.protocol),
    from: values("sourceAddressPrefix", "sourceAddressPrefixes"),
    to: values("destinationAddressPrefix", "destinationAddressPrefixes"),
    sourcePorts: values("sourcePortRange", "sourcePortRanges"),
    ports: values("destinationPortRange", "destinationPortRanges"),
  };
}

export const readRules = (raw: unknown): SecurityRule[] => list(raw).map(readRule);

const isPort = (range: string, port: number): boolean => {
  const [first = "", last = first] = range.split("-");
  return range === "*" || (Number(first) <= port && port <= Number(last));
};

/** Whether any of them is true; `undefined` if none is and one is not known. */
function any(found: readonly (boolean | undefined)[]): boolean | undefined {
  if (found.includes(true)) {
    return true;
  }
  return found.includes(undefined) ? undefined : false;
}

/** Whether one of the prefixes has an address. */
const hasAny = (prefixes: readonly string[], address: number, topology: Topology, guess: boolean) =>
  isInside(prefixes, address) || any(tagsIn(prefixes).map((tag) => hasPrefix(tag, address, topology, guess)));

function matches(one: SecurityRule, packet: Packet, topology: Topology, guess: boolean): boolean | undefined {
  const { source, target, protocol, port } = packet;
  const parts = [
    ["*", "any"].includes(one.protocol.toLowerCase()) ||
      one.protocol.toLowerCase() === protocol.toLowerCase(),
    one.ports.some((range) => isPort(range, port)),
    hasAny(one.from, source, topology, guess),
    hasAny(one.to, target, topology, guess),
    // Clients choose their ports: a rule for some of them decides about some connections only.
    one.sourcePorts.length === 0 ||
      one.sourcePorts.some((range) => ["*", "0-65535"].includes(range)) ||
      undefined,
  ];
  if (parts.includes(false)) {
    return false;
  }
  return parts.includes(undefined) ? undefined : true;
}

/** The rule that decides, the one of the smallest priority; or one that may decide otherwise. */
function deciding(rules: readonly SecurityRule[], packet: Packet, topology: Topology, guess: boolean) {
  const found = rules
    .map((one) => ({ one, hit: matches(one, packet, topology, guess) }))
    .filter(({ hit }) => hit !== false);
  const sure = found.findIndex(({ hit }) => hit === true);
  const decides = found[sure]?.one;
  const perhaps = found.slice(0, sure).find(({ one }) => one.access !== decides?.access)?.one;
  return { decides, perhaps };
}

const ruleText = (one: SecurityRule, { name }: SecurityGroup): string =>
  `${one.name} (${one.priority}) of ${name}`;

const valueText = ({ access, direction, protocol, from, to, ports, priority }: SecurityRule): string =>
  `${access} ${direction} ${protocol}, from ${from.join(", ")} to ${to.join(", ")}, port ${ports.join(", ")}, priority ${priority}`;

export const rulesOfOthers = (
  { name }: SecurityGroup,
  direction: Direction,
  ranges: readonly string[],
): Verdict =>
  unknown(`${direction.toLowerCase()} rules of ${name} ${direction === "Inbound" ? "from" : "to"}`, ranges);

/** What a group says of one packet in one direction; without a group, everything may pass but what comes from outside. */
export function decide(
  group: SecurityGroup | undefined,
  direction: Direction,
  packet: Packet,
  topology: Topology,
): Verdict {
  const port = packet.protocol === "Icmp" ? "ICMP" : `${packet.protocol.toUpperCase()} ${packet.port}`;
  if (group === undefined) {
    // learn.microsoft.com/azure/load-balancer/load-balancer-overview, "Secure by default"
    return direction === "Inbound" &&
      !isPrivate(packet.source) &&
      hasPrefix("VirtualNetwork", packet.source, topology, false) === false
      ? shut("no security group, without which Azure's standard load balancers let nothing in", {
          path: `${topology.vnet} subnets`,
          allowed: "a subnet with a security group",
          write: `a security group that allows inbound ${port}`,
        })
      : open("");
  }
  if (group.rules === undefined) {
    return rulesOfOthers(group, direction, direction === "Inbound" ? packet.from : packet.to);
  }
  const rules = [...group.rules, ...defaultRules]
    .filter((one) => one.direction === direction)
    .sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1));
  const [first, second] = [true, false].map((guess) => deciding(rules, packet, topology, guess));
  const { decides, perhaps } = first ?? {};
  if (
    decides === undefined ||
    perhaps !== undefined ||
    second?.perhaps !== undefined ||
    second?.decides?.access !== decides.access
  ) {
    const one = perhaps ?? second?.perhaps ?? decides;
    return unknown(
      `${one === undefined ? group.name : ruleText(one, group)}, which only Azure can compare with these addresses`,
    );
  }
  if (decides.access === "Allow") {
    return open(ruleText(decides, group));
  }
  const isDefault = defaultRules.includes(decides);
  const below = isDefault ? "from 100 to 4096" : `below ${decides.priority}`;
  return shut(ruleText(decides, group), {
    path: `${group.name} securityRules.${decides.name}`,
    value: valueText(decides),
    allowed: `a rule that allows ${direction.toLowerCase()} ${port}, with a priority ${below}`,
    write: isDefault
      ? `such a rule in ${group.name}`
      : `remove ${decides.name} # or such a rule in ${group.name}`,
  });
}

const prefixesOfRules = once(({ rules = [] }: SecurityGroup): readonly string[] =>
  rules.flatMap(({ from, to }) => [...from, ...to]),
);

/** All ranges and tags in the rules of a group. */
export const prefixesOf = (group: SecurityGroup | undefined): readonly string[] =>
  group === undefined ? [] : prefixesOfRules(group);
