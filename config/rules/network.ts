import { present } from "capz-windows-kit/present";
import { calicoBlock } from "capz-windows-platform/network/defaults";
import { mustParseCidr, overlaps, usableAddresses } from "capz-windows-platform/network/addressing";
import { nodeSubnetName } from "capz-windows-platform/cluster/naming";
import { surgeNodes } from "capz-windows-platform/machines/rollout";
import { allocatesNodeRanges } from "capz-windows-platform/cluster/platform";
import type { Problem } from "capz-windows-kit/problem";
import { type Pool, poolsOf } from "../pools";
import { privateLinkOf } from "../managementReach";
import type { Settings } from "../settings";
import { longestSubnet, prefixes, reservedCidrs, subnetFault } from "./networkRanges";

function overlapProblems({ network }: Settings): Problem[] {
  const pairs = [
    ["podCidr", "vnetCidr", "the VNET"],
    ["serviceCidr", "vnetCidr", "the VNET"],
    ["serviceCidr", "podCidr", "the pods"],
  ] as const;
  return pairs
    .filter(([key, other]) => overlaps(mustParseCidr(network[key]), mustParseCidr(network[other])))
    .map(([key, other, what]) => ({
      path: `network.${key}`,
      value: network[key],
      uses: [`network.${key}`, `network.${other}`],
      problem: `overlaps ${network[other]} of ${what} (network.${other})`,
      allowed: `a network that does not overlap ${what}`,
    }));
}

/** Maximum number of nodes of a pool at one time: its replicas or the autoscaler's maximum, plus the surge. */
function maxNodes(pool: Pool): number {
  const nodes = pool.autoscale?.max ?? pool.replicas;
  return nodes + surgeNodes(pool.rollout.maxSurge, nodes);
}

/** Network interfaces in a subnet of pools at one time. */
export const interfacesIn = (settings: Settings, subnet = nodeSubnetName): number =>
  poolsOf(settings).reduce(
    (sum, { pool }) =>
      sum +
      maxNodes(pool) *
        [pool, ...pool.additionalNetworkInterfaces].filter((one) => (one.subnet ?? nodeSubnetName) === subnet)
          .length,
    0,
  );

/** Machines in each subnet at one time. During a rollout, the control plane has one additional machine. */
export const machinesIn = (settings: Settings) => ({
  nodeSubnetCidr: interfacesIn(settings),
  // A private API server has one address of it, too, and a private link service another one.
  controlPlaneSubnetCidr:
    settings.controlPlane.replicas +
    1 +
    [settings.network.apiServer, privateLinkOf(settings)].filter((one) => one !== undefined).length,
});

function subnetProblems(settings: Settings): Problem[] {
  const { network } = settings;
  const [controlPlane, nodes] = ["network.controlPlaneSubnetCidr", "network.nodeSubnetCidr"];
  const uses = [controlPlane, nodes, "network.vnetCidr"];
  const first = subnetFault(settings, network.controlPlaneSubnetCidr, []);
  // Another subnet of the control plane overlaps something else.
  const others = first === undefined ? [[controlPlane, network.controlPlaneSubnetCidr] as const] : [];
  const second = subnetFault(settings, network.nodeSubnetCidr, others);
  return present(
    first && { path: controlPlane, value: network.controlPlaneSubnetCidr, uses, ...first },
    second && { path: nodes, value: network.nodeSubnetCidr, uses, ...second },
  );
}

function sizeProblems(settings: Settings): Problem[] {
  const { network } = settings;
  const why = {
    vnetCidr: "the size is out of range for a VNET with a control plane subnet and a node subnet",
    podCidr: allocatesNodeRanges(settings.platform)
      ? "kube-controller-manager assigns a /24 of it to each node, and divides at most 16 bits"
      : "Calico assigns blocks of addresses to nodes, and rejects IPv4 pools larger than /8",
    serviceCidr:
      "the API server supports at most 20 bits of service addresses and needs at least 16 addresses",
  };
  const found = reservedCidrs.find((text) => overlaps(mustParseCidr(text), mustParseCidr(network.vnetCidr)));
  return present(
    ...(["vnetCidr", "podCidr", "serviceCidr"] as const).map((key) => {
      const [from, to] = prefixes[key];
      const { prefix } = mustParseCidr(network[key]);
      return (
        (prefix < from || prefix > to) && {
          path: `network.${key}`,
          value: network[key],
          problem: why[key],
          allowed: `a prefix length from ${from} to ${to}`,
        }
      );
    }),
    found !== undefined && {
      path: "network.vnetCidr",
      value: network.vnetCidr,
      problem: `overlaps ${found}, which Azure reserves`,
      allowed: "a network that does not overlap 224.0.0.0/4, 127.0.0.0/8, 169.254.0.0/16 or 168.63.129.16",
    },
  );
}

/** Machines at one time, with those of a rollout. */
const maxNodesOf = (settings: Settings): number =>
  poolsOf(settings).reduce((nodes, { pool }) => nodes + maxNodes(pool), 1 + settings.controlPlane.replicas);

/**
 * Each node has a part of the pod range: with Flannel a /24 of kube-controller-manager, with Calico at least one block, and it
 * takes no address of another one's (strict affinity).
 */
function podRangeProblems(settings: Settings): Problem[] {
  const { addons, network, platform } = settings;
  const { calicoBlockSize = calicoBlock.default } = addons;
  const prefix = new Map([
    ["flannel", 24],
    ["calico", calicoBlockSize],
  ]).get(platform.cni);
  if (prefix === undefined) {
    return [];
  }
  const ranges = Math.floor(2 ** (prefix - mustParseCidr(network.podCidr).prefix));
  const nodes = maxNodesOf(settings);
  return present(
    ranges < nodes && {
      path: "network.podCidr",
      value: network.podCidr,
      uses: [
        ...["network.podCidr", "addons.calicoBlockSize"],
        ...["linuxPools", "windowsPools", "controlPlane.replicas"],
      ],
      problem: `each node gets a /${prefix} of the range, which has ${ranges}, but there can be ${nodes} nodes (including surge)`,
      allowed:
        "a larger range, or smaller blocks (addons.calicoBlockSize); a cluster that exists keeps its range and its blocks",
    },
  );
}

/** Other rules report a subnet that is too small for Azure. */
function capacityProblems(settings: Settings): Problem[] {
  const { network } = settings;
  const machines = machinesIn(settings);
  return (["nodeSubnetCidr", "controlPlaneSubnetCidr"] as const).flatMap((key): Problem[] => {
    const subnet = mustParseCidr(network[key]);
    const path = `network.${key}`;
    return present(
      machines[key] > usableAddresses(subnet) &&
        subnet.prefix <= longestSubnet && {
          path,
          value: network[key],
          uses: [path, "network.vnetCidr", "linuxPools", "windowsPools", "controlPlane.replicas"],
          problem: `the subnet has ${usableAddresses(subnet)} usable addresses, but there can be ${machines[key]} machines (including surge)`,
          allowed: `a subnet for at least ${machines[key]} machines (Azure reserves 5 addresses in each subnet)`,
        },
    );
  });
}

export const networkRules = (settings: Settings): Problem[] => [
  ...overlapProblems(settings),
  ...subnetProblems(settings),
  ...sizeProblems(settings),
  ...capacityProblems(settings),
  ...podRangeProblems(settings),
];
