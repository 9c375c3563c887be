import ipaddr from "ipaddr.js";

/** An IPv4 network: first address as a number and prefix length in bits. */
export interface Cidr {
  readonly first: number;
  readonly prefix: number;
}

/** Number of addresses of a network. */
export const cidrSize = (cidr: Cidr): number => 2 ** (32 - cidr.prefix);

/** Reads an IPv4 network without host bits; anything else is `undefined`. */
export function parseCidr(text: string): Cidr | undefined {
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) {
    return undefined;
  }
  const [address, prefix] = ipaddr.IPv4.parseCIDR(text);
  const first = address.toByteArray().reduce((sum, byte) => sum * 256 + byte, 0);
  return first % 2 ** (32 - prefix) === 0 ? { first, prefix } : undefined;
}

/** Like `parseCidr` for text that has been validated; throws a RangeError otherwise. */
export function mustParseCidr(text: string): Cidr {
  const cidr = parseCidr(text);
  if (!cidr) {
    throw new RangeError(`${text} is no IPv4 network in CIDR form`);
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

/** Addresses that Azure keeps for itself in every subnet: network, gateway, two for DNS, broadcast. */
const azureReserved = 5;

/** Addresses for NICs in a subnet. */
export const usableAddresses = (cidr: Cidr): number => Math.max(0, cidrSize(cidr) - azureReserved);

export interface SubnetCidrs {
  readonly controlPlane: string;
  readonly nodes: string;
}

/**
 * Default subnets of a VNET: the nodes get its upper half, the control plane the first /24 of the lower half
 * (or the VNET's first quarter where that is smaller). Needs a VNET of /27 or larger, Azure's smallest subnet
 * being /29; smaller ones throw a RangeError.
 */
export function defaultSubnets(vnetCidr: string): SubnetCidrs {
  const vnet = mustParseCidr(vnetCidr);
  if (vnet.prefix > 27) {
    throw new RangeError(`${vnetCidr} is too small for two subnets`);
  }
  return {
    controlPlane: formatCidr({ first: vnet.first, prefix: Math.max(24, vnet.prefix + 2) }),
    nodes: formatCidr({ first: vnet.first + cidrSize(vnet) / 2, prefix: vnet.prefix + 1 }),
  };
}

/**
 * The networks that no other one of the list contains, sorted. Azure refuses a security rule whose prefixes overlap
 * (OverlappingSubnetsNotPermittedInSecurityRule).
 */
export function withoutContained(cidrs: readonly string[]): string[] {
  const networks = [...new Set(cidrs)]
    .map(mustParseCidr)
    .sort((a, b) => a.first - b.first || a.prefix - b.prefix);
  return networks
    .filter((network, index) => !networks.slice(0, index).some((before) => contains(before, network)))
    .map(formatCidr);
}
