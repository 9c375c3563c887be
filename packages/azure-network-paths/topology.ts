import { memoize } from "capz-windows-kit/memoize";
import { azureDns } from "capz-windows-platform/company-network/peerings";
import {
  collapseCidrs,
  mustParseCidr,
  parseCidr,
  privateCidrs,
} from "capz-windows-platform/network/addressing";
import { boundsOf, isInside } from "./ranges";

/** A VNET as Azure decides about packets in it: the parts that say who reaches whom. */

export interface SecurityRule {
  readonly name: string;
  readonly priority: number;
  readonly direction: "Inbound" | "Outbound";
  readonly access: "Allow" | "Deny";
  readonly protocol: string;
  /** Ranges, addresses and service tags; none where the rule names application security groups, which CAPZ gives no machine. */
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly sourcePorts: readonly string[];
  readonly ports: readonly string[];
}

/** `rules` are missing where others keep them, and the plan does not know them. */
export interface SecurityGroup {
  readonly name: string;
  readonly rules?: readonly SecurityRule[];
}

export interface Route {
  readonly name: string;
  readonly prefix: string;
  /** None, Internet, VnetLocal, VirtualAppliance or VirtualNetworkGateway. */
  readonly hop: string;
  readonly address: string;
}

/** `routes` are missing where others keep them, and the plan does not know them. */
export interface RouteTable {
  readonly name: string;
  readonly routes?: readonly Route[];
}

export interface Subnet {
  readonly name: string;
  readonly cidrs: readonly string[];
  readonly group?: SecurityGroup;
  readonly table?: RouteTable;
  /** As which addresses machines leave; missing where that is not known. Without a name, others keep what has them. */
  readonly nat?: { readonly name?: string; readonly addresses?: readonly string[] };
  /** Whether machines without any other way out get an address of Azure's. */
  readonly defaultOutbound: boolean;
}

export interface PeeredNetwork {
  readonly name: string;
  readonly cidrs: readonly string[];
  /** Whether the sides that are known let packets through. */
  readonly access: boolean;
  /** Whether others make the other side, of which nothing is known. */
  readonly othersSide?: boolean;
  /** Whether its gateway leads to further networks. */
  readonly gateway: boolean;
  /** Whether packets come in that the other VNET only forwards. */
  readonly forwarded: boolean;
}

export interface Topology {
  readonly vnet: string;
  readonly cidrs: readonly string[];
  readonly subnets: readonly Subnet[];
  readonly peerings: readonly PeeredNetwork[];
  /** None where the VNET has those of Azure; missing where others set them. */
  readonly dnsServers?: readonly string[];
  /** A firewall to which a route of others leads. */
  readonly firewall?: string;
}

/** What others keep on the way of a path, and the addresses between which it must let packets pass. */
export interface OthersPart {
  readonly what: string;
  readonly ranges: readonly string[];
}

/** Whether a path is open, and what says so; unknown where others decide. */
export interface Verdict {
  readonly state: "open" | "shut" | "unknown";
  readonly by: string;
  /** All that others keep, in the order of the way; only where the path is unknown. */
  readonly others?: readonly OthersPart[];
  /** What shuts it, and what to write instead. */
  readonly fix?: Fix;
}

export interface Fix {
  readonly path: string;
  readonly value?: string;
  readonly allowed: string;
  readonly write: string;
}

export const open = (by: string): Verdict => ({ state: "open", by });
export const unknown = (what: string, ranges: readonly string[] = []): Verdict =>
  byOthers([{ what, ranges }]);
export const shut = (by: string, fix: Fix): Verdict => ({ state: "shut", by, fix });

/** Addresses of the Internet that no host has (RFC 1122, RFC 6890), in both halves, so that no rule names them. */
export const anywhere = ["0.0.0.1/32", "240.0.0.1/32"];

const named: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...anywhere, "0.0.0.0/32"].map((one) => [one, "the Internet"])),
  [`${azureDns}/32`]: "AzureLoadBalancer",
};

/** Ranges in the order of addresses, then what has a name only. Each packet of a path has the same ranges. */
const rangesText = memoize((ranges: readonly string[]): readonly string[] => {
  const all = ranges.map((one) => named[one] ?? one);
  const isRange = (one: string): boolean => parseCidr(one) !== undefined;
  return [...collapseCidrs(all.filter(isRange)), ...new Set(all.filter((one) => !isRange(one)))];
});

/** Each part once, with all its addresses. */
export function byOthers(parts: readonly OthersPart[]): Verdict {
  const others = [...new Set(parts.map(({ what }) => what))].map((what) => ({
    what,
    ranges: rangesText([
      ...new Set(parts.filter((one) => one.what === what).flatMap(({ ranges }) => ranges)),
    ]),
  }));
  const by = others.map(({ what, ranges }) => [what, ranges.join(", ")].filter(Boolean).join(" "));
  return { state: "unknown", by: by.join("; "), others };
}

/** A path is as open as its narrowest part; all that others keep must let it pass. */
export function all(parts: readonly Verdict[]): Verdict {
  const others = parts.flatMap((part) => part.others ?? []);
  return parts.length === 0
    ? unknown("addresses that are not known")
    : (parts.find(({ state }) => state === "shut") ??
        (others.length > 0
          ? byOthers(others)
          : open([...new Set(parts.map(({ by }) => by))].filter((by) => by !== "").join(", "))));
}

/** An address as a number. */
export const numberOf = (address: string): number => mustParseCidr(`${address}/32`).first;

export const isPrivate = (address: number): boolean => isInside(privateCidrs, address);

/**
 * Whether the service tag VirtualNetwork has an address: that of the VNET, its peered VNETs, networks behind their gateways,
 * prefixes of routes, and the host (learn.microsoft.com/azure/virtual-network/service-tags-overview); "this tag might also
 * contain default routes". `undefined` where the plan cannot know.
 */
function inVirtualNetwork({ cidrs, peerings, subnets }: Topology, address: number): boolean | undefined {
  const tables = subnets.flatMap(({ table }) => (table === undefined ? [] : [table]));
  const prefixes = tables.flatMap(({ routes = [] }) => routes.map(({ prefix }) => prefix));
  const known = [
    ...cidrs,
    ...peerings.flatMap((peering) => (peering.access ? peering.cidrs : [])),
    ...prefixes.filter((prefix) => prefix !== "0.0.0.0/0"),
  ];
  const isOpenEnded = prefixes.includes("0.0.0.0/0") || tables.some(({ routes }) => routes === undefined);
  if (address === numberOf(azureDns) || isInside(known, address)) {
    return true;
  }
  return isPrivate(address) || isOpenEnded ? undefined : false;
}

/**
 * Whether a prefix of a security rule has an address; `undefined` for tags whose addresses only Azure knows.
 * @param guess - what is taken for VirtualNetwork where the plan cannot know
 */
export function hasPrefix(
  prefix: string,
  address: number,
  topology: Topology,
  guess: boolean,
): boolean | undefined {
  const bounds = boundsOf(prefix);
  if (bounds !== undefined) {
    return bounds[0] <= address && address <= bounds[1];
  }
  switch (prefix.toLowerCase()) {
    case "*":
    case "any":
      return true;
    case "virtualnetwork":
      return inVirtualNetwork(topology, address) ?? guess;
    case "internet":
      return !(inVirtualNetwork(topology, address) ?? guess);
    case "azureloadbalancer":
      return address === numberOf(azureDns);
    default:
      return prefix.includes(":") || isPrivate(address) ? false : undefined;
  }
}
