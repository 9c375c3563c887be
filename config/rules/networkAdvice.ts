import type { Cidr } from "../../platform/network/addressing";
import {
  contains,
  defaultSubnets,
  formatCidr,
  movedInto,
  mustParseCidr,
  overlaps,
  subnetsByName,
  usableAddresses,
} from "../../platform/network/addressing";
import { bastionPrefix, bastionSubnetName } from "../../platform/network/bastion";
import { defaultPodCidr, defaultServiceCidr, defaultVnetCidr } from "../../platform/network/defaults";
import { freeCidr, freeInside } from "../../platform/network/freeCidr";
import { withoutEmpty } from "../../tools/without";
import { writeLine } from "../../tools/writeLine";
import type { Settings } from "../settings";

/** Advice for a network that does not fit: always a range that is free in this stack. */

/** Address range of the VNET that AKS creates for the management cluster. */
export const aksVnetCidr = "10.224.0.0/12";

/** Range of the overlay network that create-external-network.ps1 creates on every Windows host with Flannel. */
export const flannelHostCidr = "192.168.255.0/30";

/** Ranges that Azure does not allow in a VNET (Microsoft, "Virtual network FAQ"). */
export const reservedCidrs = ["224.0.0.0/4", "127.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32"];

const ranges = ["vnetCidr", "podCidr", "serviceCidr"] as const;
type Range = (typeof ranges)[number];

const subnets = ["controlPlaneSubnetCidr", "nodeSubnetCidr"] as const;
type Subnet = (typeof subnets)[number];

/** Shortest and longest prefix of each range; the rules say why. */
export const prefixes: Readonly<Record<Range, readonly [from: number, to: number]>> = {
  vnetCidr: [8, 27],
  podCidr: [8, 24],
  serviceCidr: [12, 28],
};

/** The subnets of a VNET that has room for two. */
function defaultsOf(vnetCidr: string): Record<Subnet, string> | undefined {
  if (mustParseCidr(vnetCidr).prefix > prefixes.vnetCidr[1]) {
    return undefined;
  }
  const { controlPlane, nodes } = defaultSubnets(vnetCidr);
  return { controlPlaneSubnetCidr: controlPlane, nodeSubnetCidr: nodes };
}

/** Longest prefix of a subnet with enough addresses for a number of machines. */
const smallestFor = (machines: number): number => Math.min(29, 32 - Math.ceil(Math.log2(machines + 5)));

const fits = (cidr: Cidr, machines: number): boolean =>
  cidr.prefix <= 29 && usableAddresses(cidr) >= machines;

/** The lines with the pools' subnets and that of a Bastion in another VNET, of the same sizes beside its default subnets. */
function furtherSubnetsIn(vnetCidr: string, { poolSubnets, bastion }: Settings["network"]): string[] {
  const defaults = Object.values(defaultsOf(vnetCidr) ?? {});
  const own = bastion?.range === undefined ? [] : [[bastionSubnetName, bastion.range] as const];
  const placed = [...own, ...subnetsByName(poolSubnets)].reduce<[name: string, cidr: string][]>(
    (before, [name, cidr]) => {
      const taken = [...defaults, ...before.map(([, other]) => other)];
      const free = freeInside(
        vnetCidr,
        Math.max(mustParseCidr(cidr).prefix, mustParseCidr(vnetCidr).prefix + 3),
        taken,
      );
      return free === undefined ? before : [...before, [name, free]];
    },
    [],
  );
  const { [bastionSubnetName]: range, ...ofPools } = Object.fromEntries(placed);
  return [
    ...(Object.keys(ofPools).length === 0 ? [] : [writeLine("poolSubnets", ofPools)]),
    ...(range === undefined ? [] : [writeLine("bastion", withoutEmpty({ ...bastion, range }))]),
  ];
}

/**
 * A subnet of pools for a number of machines that overlaps no other one; `undefined` if the VNET has no space for it.
 * @param poolSubnets - the others
 * @param before - the range that it has; from another VNET it keeps its place, if it can
 */
export function freePoolSubnet(
  { network }: Settings,
  poolSubnets: readonly string[],
  machines: number,
  before?: string,
): string | undefined {
  const taken = [
    ...[network.controlPlaneSubnetCidr, network.nodeSubnetCidr],
    ...[...bastionRange(network), ...poolSubnets],
  ];
  const moved =
    before === undefined ? undefined : movedInto(mustParseCidr(network.vnetCidr), mustParseCidr(before));
  if (
    moved !== undefined &&
    fits(moved, machines) &&
    !taken.some((other) => overlaps(mustParseCidr(other), moved))
  ) {
    return formatCidr(moved);
  }
  const smallest = smallestFor(machines);
  return [Math.min(24, smallest), smallest]
    .map((prefix) => freeInside(network.vnetCidr, prefix, taken))
    .find((found) => found !== undefined);
}

/** The subnets of a stack, each with its key; without that of a Bastion. */
export const subnetsOf = ({ network }: Settings): (readonly [key: string, cidr: string])[] => [
  ["network.controlPlaneSubnetCidr", network.controlPlaneSubnetCidr],
  ["network.nodeSubnetCidr", network.nodeSubnetCidr],
  ...Object.entries(network.poolSubnets).map(
    ([name, cidr]) => [`network.poolSubnets.${name}`, cidr] as const,
  ),
];

/** A range for AzureBastionSubnet; `undefined` if the VNET has no space for it. */
export const freeBastionRange = (settings: Settings): string | undefined =>
  freeInside(
    settings.network.vnetCidr,
    bastionPrefix,
    subnetsOf(settings).map(([, cidr]) => cidr),
  );

/** Range of AzureBastionSubnet, if the stack has one. */
const bastionRange = ({ bastion }: Settings["network"]): string[] =>
  bastion?.range === undefined ? [] : [bastion.range];

/** Ranges of the VNETs with which that of the stack is peered. */
export const peeredCidrs = ({ peerings }: Settings["network"]): string[] =>
  Object.values(peerings).flatMap(({ addressSpaces }) => addressSpaces);

/** Range of the VNET of the AKS management cluster, where it is known. */
export function managementVnetCidrs({ management }: Pick<Settings, "management">): string[] {
  if (management.kind !== "aks") {
    return [];
  }
  if (management.network === undefined) {
    return [aksVnetCidr];
  }
  const { vnetCidr } = management.network;
  return vnetCidr === undefined ? [] : [vnetCidr];
}

/** Lines with a range that overlaps no other one: the default, or a network of the wanted size. */
export function freeRange(
  { network, platform, ...settings }: Settings,
  key: Range,
  wanted = mustParseCidr(network[key]).prefix,
): string {
  const [from, to] = prefixes[key];
  const defaults = {
    vnetCidr: defaultVnetCidr,
    podCidr: defaultPodCidr(platform.cni),
    serviceCidr: defaultServiceCidr,
  };
  const taken = [
    ...ranges.filter((other) => other !== key).map((other) => network[other]),
    ...managementVnetCidrs(settings),
    ...(platform.cni === "flannel" ? [flannelHostCidr] : []),
    ...peeredCidrs(network),
    ...reservedCidrs,
  ];
  const prefix = Math.min(to, Math.max(from, wanted));
  const preferred = mustParseCidr(defaults[key]).prefix <= prefix ? defaults[key] : "127.0.0.0/8";
  const free = freeCidr(preferred, prefix, taken);
  // The subnets of a VNET that is too small are those of the default one (settings.ts).
  const byDefault = defaultsOf(network.vnetCidr) ?? defaultsOf(defaultVnetCidr);
  const own = subnets.filter(
    (subnet) => key === "vnetCidr" && byDefault && network[subnet] !== byDefault[subnet],
  );
  const moved = key === "vnetCidr" ? furtherSubnetsIn(free, network) : [];
  return [`${key}: ${free}`, ...own.map((subnet) => `remove ${subnet}`), ...moved].join("; ");
}

/** A subnet for a number of machines, the default or another part of the VNET, and its line; or the line of a larger VNET. */
export function freeSubnet(
  settings: Settings,
  key: Subnet,
  machines: number,
): { readonly range?: string; readonly write: string } {
  const { network } = settings;
  const others = [
    network[key === "nodeSubnetCidr" ? "controlPlaneSubnetCidr" : "nodeSubnetCidr"],
    ...[...Object.values(network.poolSubnets), ...bastionRange(network)],
  ];
  const vnet = mustParseCidr(network.vnetCidr);
  const byDefault = defaultsOf(network.vnetCidr)?.[key];
  const isFree = (text: string): boolean =>
    fits(mustParseCidr(text), machines) &&
    contains(vnet, mustParseCidr(text)) &&
    !others.some((other) => overlaps(mustParseCidr(text), mustParseCidr(other)));
  if (byDefault !== undefined && byDefault !== network[key] && isFree(byDefault)) {
    return { range: byDefault, write: `remove ${key} # the default is ${byDefault}` };
  }
  const smallest = smallestFor(machines);
  const part = [Math.max(vnet.prefix + 1, smallest - 2), smallest - 1, smallest]
    .flatMap((prefix) => (prefix > smallest ? [] : (freeInside(network.vnetCidr, prefix, others) ?? [])))
    .find(isFree);
  // The nodes get one half of the VNET, the control plane a quarter of it or a /24.
  return part === undefined
    ? { write: freeRange(settings, "vnetCidr", Math.min(vnet.prefix, smallest) - 2) }
    : { range: part, write: `${key}: ${part}` };
}
