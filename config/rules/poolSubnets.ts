import { present } from "capz-windows-kit/present";
import { controlPlaneSubnetName, nodeSubnetName } from "capz-windows-platform/cluster/naming";
import { mostInterfaces } from "capz-windows-platform/machines/vmSizes";
import {
  contains,
  mustParseCidr,
  overlaps,
  subnetsByName,
  usableAddresses,
} from "capz-windows-platform/network/addressing";
import type { Problem } from "capz-windows-kit/problem";
import { poolsOf } from "../pools";
import type { Settings } from "../settings";
import { interfacesIn } from "./network";

/** Whether the VNET has a subnet of this name anyway. */
const isTaken = (name: string): boolean => [nodeSubnetName, controlPlaneSubnetName].includes(name);

/** Why a subnet of pools cannot be where it is. */
function faultOf(
  settings: Settings,
  name: string,
  cidr: string,
): readonly [problem: string, allowed: string] | undefined {
  const { network } = settings;
  const subnet = mustParseCidr(cidr);
  const other = [
    [network.controlPlaneSubnetCidr, "the control plane subnet (network.controlPlaneSubnetCidr)"] as const,
    [network.nodeSubnetCidr, "the node subnet (network.nodeSubnetCidr)"] as const,
    ...subnetsByName(network.poolSubnets)
      .filter(([first]) => first < name)
      .map(([first, range]) => [range, `network.poolSubnets.${first}`] as const),
  ].find(([range]) => overlaps(mustParseCidr(range), subnet));
  const machines = interfacesIn(settings, name);
  if (isTaken(name)) {
    return ["the VNET has a subnet of this name already", "any other name"];
  }
  if (!contains(mustParseCidr(network.vnetCidr), subnet)) {
    return [`not inside the VNET ${network.vnetCidr} (network.vnetCidr)`, `a part of ${network.vnetCidr}`];
  }
  if (subnet.prefix > 29) {
    return ["Azure does not allow subnets smaller than /29", "a prefix length of at most 29"];
  }
  if (other !== undefined) {
    return [`overlaps ${other[0]} of ${other[1]}`, "subnets that do not overlap"];
  }
  return machines <= usableAddresses(subnet)
    ? undefined
    : [
        `the subnet has ${usableAddresses(subnet)} usable addresses, but its pools can have ${machines} network interfaces (including surge)`,
        `a subnet for at least ${machines} interfaces (Azure reserves 5 addresses in each subnet)`,
      ];
}

const rangeProblems = (settings: Settings): Problem[] =>
  subnetsByName(settings.network.poolSubnets).flatMap(([name, cidr]): Problem[] => {
    const [problem, allowed] = faultOf(settings, name, cidr) ?? [];
    return present(
      problem !== undefined &&
        allowed !== undefined && {
          path: `network.poolSubnets.${name}`,
          value: cidr,
          uses: ["network", "linuxPools", "windowsPools"],
          problem,
          allowed,
        },
    );
  });

/** Subnets that pools name and the VNET does not have. */
function nameProblems(settings: Settings): Problem[] {
  const names = [...Object.keys(settings.network.poolSubnets).sort(), nodeSubnetName].filter(
    (name, index, all) => name !== controlPlaneSubnetName && all.indexOf(name) === index,
  );
  const problem = (path: string, key: string, subnet: string | undefined): Problem[] =>
    present(
      subnet !== undefined &&
        !names.includes(subnet) && {
          path: `${path}.${key}`,
          value: subnet,
          uses: [`${path}.${key}`, "network"],
          problem: "network.poolSubnets has no subnet of this name for pools",
          allowed: names.join(", "),
        },
    );
  return poolsOf(settings).flatMap(({ path, pool: { subnet, additionalNetworkInterfaces } }) => [
    ...problem(path, "subnet", subnet),
    ...additionalNetworkInterfaces.flatMap((one, index) =>
      problem(`${path}.additionalNetworkInterfaces[${index}]`, "subnet", one.subnet),
    ),
  ]);
}

const interfaceProblems = (settings: Settings): Problem[] =>
  poolsOf(settings).flatMap(({ path, pool: { additionalNetworkInterfaces: more, vmSize } }) => {
    const most = mostInterfaces(vmSize);
    return present(
      most !== undefined &&
        more.length >= most && {
          path: `${path}.additionalNetworkInterfaces`,
          value: more,
          uses: [`${path}.additionalNetworkInterfaces`, `${path}.vmSize`],
          problem: `${vmSize} has at most ${most} network interfaces, and the first is the node's`,
          allowed: `at most ${most - 1} of them, or a larger size`,
        },
    );
  });

/** The subnets of pools in the VNET. */
export const poolSubnetRules = (settings: Settings): Problem[] => [
  ...rangeProblems(settings),
  ...nameProblems(settings),
  ...interfaceProblems(settings),
];
