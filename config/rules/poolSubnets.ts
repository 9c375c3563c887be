import { present } from "capz-windows-kit/present";
import { controlPlaneSubnetName, nodeSubnetName } from "capz-windows-platform/cluster/naming";
import { mostInterfaces } from "capz-windows-platform/machines/vmSizes";
import { mustParseCidr, subnetsByName, usableAddresses } from "capz-windows-platform/network/addressing";
import type { Problem } from "capz-windows-kit/problem";
import { poolsOf } from "../pools";
import type { Settings } from "../settings";
import { interfacesIn } from "./network";
import { subnetFault, subnetsOf } from "./networkRanges";

const place = "network.poolSubnets.";

/** Whether the VNET has a subnet of this name anyway. */
const isTaken = (name: string): boolean => [nodeSubnetName, controlPlaneSubnetName].includes(name);

/** Why a subnet of pools cannot be where it is. */
function faultOf(settings: Settings, name: string, cidr: string) {
  const earlier = subnetsOf(settings).filter(([key]) => !key.startsWith(place) || key < `${place}${name}`);
  const [usable, machines] = [usableAddresses(mustParseCidr(cidr)), interfacesIn(settings, name)];
  if (isTaken(name)) {
    return { problem: "the VNET has a subnet of this name already", allowed: "any other name" };
  }
  return (
    subnetFault(settings, cidr, earlier) ??
    (machines > usable
      ? {
          problem: `the subnet has ${usable} usable addresses, but its pools can have ${machines} network interfaces (including surge)`,
          allowed: `a subnet for at least ${machines} interfaces (Azure reserves 5 addresses in each subnet)`,
        }
      : undefined)
  );
}

const rangeProblems = (settings: Settings): Problem[] =>
  subnetsByName(settings.network.poolSubnets).flatMap(([name, cidr]): Problem[] => {
    const fault = faultOf(settings, name, cidr);
    return present(
      fault && {
        path: `${place}${name}`,
        value: cidr,
        uses: ["network", "linuxPools", "windowsPools"],
        ...fault,
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
