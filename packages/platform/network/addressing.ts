import ipaddr from "ipaddr.js";
import { byName } from "capz-windows-kit/byName";
import { memoize } from "capz-windows-kit/memoize";

/** An IPv4 network: its first address as a number, and its prefix length in bits. */
export interface Cidr {
  readonly first: number;
  readonly prefix: number;
}

/** Private ranges, of RFC 1918 and RFC 6598, which Azure recommends for VNETs (Microsoft, "Virtual network FAQ"), in the order in which free ones are looked for. */
export const privateCidrs = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"];

/** Number of addresses of a network. */
export const cidrSize = (cidr: Cidr): number => 2 ** (32 - cidr.prefix);

/** Parses an IPv4 network without host bits, of which a stack has thousands; `undefined` for any other text. */
export const parseCidr = memoize((text: string): Cidr | undefined => {
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) {
    return undefined;
  }
  const [address, prefix] = ipaddr.IPv4.parseCIDR(text);
  const first = address.toByteArray().reduce((sum, byte) => sum * 256 + byte, 0);
  return first % 2 ** (32 - prefix) === 0 ? { first, prefix } : undefined;
}, 10_000);

/**
 * Parses an IPv4 network that has already been validated.
 * @throws RangeError if the text is not an IPv4 network without host bits
 */
export function mustParseCidr(text: string): Cidr {
  const cidr = parseCidr(text);
  if (!cidr) {
    throw new RangeError(`${text} is not an IPv4 network in CIDR notation`);
  }
  return cidr;
}

export function formatCidr({ first, prefix }: Cidr): string {
  const bytes = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
  return `${bytes.join(".")}/${prefix}`;
}

export function overlaps(a: Cidr, b: Cidr): boolean {
  return a.first < b.first + cidrSize(b) && b.first < a.first + cidrSize(a);
}

export function contains(outer: Cidr, inner: Cidr): boolean {
  return inner.prefix >= outer.prefix && overlaps(outer, inner);
}

/** Whether a network has an address. */
export const hasAddress = (cidr: string, address: string): boolean =>
  contains(mustParseCidr(cidr), mustParseCidr(`${address}/32`));

/**
 * Whether each of the inner networks is part of one of the outer ones. A text that is not a network is part of none.
 */
export function covers(outer: readonly string[], inner: readonly string[]): boolean {
  const networks = outer.map(parseCidr);
  return inner.every((text) => {
    const cidr = parseCidr(text);
    return cidr !== undefined && networks.some((network) => network !== undefined && contains(network, cidr));
  });
}

/** Addresses that Azure keeps for itself in every subnet: network, gateway, two for DNS, broadcast. */
const azureReserved = 5;

/** Number of addresses in a subnet that network interfaces can use. */
export const usableAddresses = (cidr: Cidr): number => Math.max(0, cidrSize(cidr) - azureReserved);

/** The same of all ranges of a subnet; texts that are no IPv4 networks do not count. */
export const usableIn = (cidrs: readonly string[]): number =>
  cidrs.reduce((sum, text) => {
    const cidr = parseCidr(text);
    return sum + (cidr === undefined ? 0 : usableAddresses(cidr));
  }, 0);

/**
 * Default subnets of a VNET: the upper half for the nodes, and the first /24 for the control plane (the first quarter
 * of a VNET smaller than /22). The VNET must be /27 or larger, because Azure's smallest subnet is /29.
 * @throws RangeError for a smaller VNET
 */
export function defaultSubnets(vnetCidr: string) {
  const vnet = mustParseCidr(vnetCidr);
  if (vnet.prefix > 27) {
    throw new RangeError(`${vnetCidr} is too small for two subnets`);
  }
  return {
    controlPlane: formatCidr({ first: vnet.first, prefix: Math.max(24, vnet.prefix + 2) }),
    nodes: formatCidr({ first: vnet.first + cidrSize(vnet) / 2, prefix: vnet.prefix + 1 }),
  };
}

/** Subnets of pools, in an order that does not depend on the stack file's. */
export const subnetsByName = (
  subnets: Readonly<Record<string, string>> = {},
): [name: string, cidr: string][] => byName(subnets);

/**
 * The networks of a list without those that another one contains, sorted by address. Azure rejects a security rule
 * whose prefixes overlap (OverlappingSubnetsNotPermittedInSecurityRule).
 */
export function collapseCidrs(cidrs: readonly string[]): string[] {
  const networks = [...new Set(cidrs)]
    .map(mustParseCidr)
    .sort((a, b) => a.first - b.first || a.prefix - b.prefix);
  // Two networks are apart or one is inside of the other, so that only the last one that was kept can contain the next.
  const kept: Cidr[] = [];
  for (const network of networks) {
    const last = kept.at(-1);
    if (last === undefined || !contains(last, network)) {
      kept.push(network);
    }
  }
  return kept.map(formatCidr);
}

/** Hardly any organization has more public addresses than a /8. */
const mostPublicAddresses = 2 ** 24;

/**
 * The ranges, in words, if they let in the Internet or so large a part of it that they keep few out, one by one or together;
 * `undefined` otherwise.
 */
export function rangesOfAnyone(cidrs: readonly string[]): string | undefined {
  const ranges = cidrs.filter((text) => parseCidr(text) !== undefined);
  const open = collapseCidrs(ranges).filter((text) => !covers(privateCidrs, [text]));
  const size = (text: string): number => cidrSize(mustParseCidr(text));
  const addresses = open.reduce((sum, text) => sum + size(text), 0);
  if (addresses <= mostPublicAddresses) {
    return undefined;
  }
  return (
    open.find((text) => size(text) > mostPublicAddresses) ??
    `${open[0] ?? ""} and ${open.length - 1} more ranges`
  );
}
