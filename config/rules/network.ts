import { present } from "capz-windows-kit/present";
import { calicoBlock } from "capz-windows-platform/network/defaults";
import type { Cidr } from "capz-windows-platform/network/addressing";
import { contains, mustParseCidr, overlaps, usableAddresses } from "capz-windows-platform/network/addressing";
import { nodeSubnetName } from "capz-windows-platform/cluster/naming";
import { surgeNodes } from "capz-windows-platform/machines/rollout";
import { allocatesNodeRanges } from "capz-windows-platform/cluster/platform";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { type Pool, poolsOf } from "../pools";
import { privateLinkOf } from "../managementReach";
import type { Settings } from "../settings";
import { prefixes, reservedCidrs } from "./networkRanges";

interface Range {
  readonly path: string;
  readonly what: string;
  readonly text: string;
  readonly cidr: Cidr;
}

const range = (path: string, what: string, text: string): Range => ({
  path,
  what,
  text,
  cidr: mustParseCidr(text),
});

function overlapProblems(settings: Settings): Problem[] {
  const { network } = settings;
  const vnet = range("network.vnetCidr", "the VNET", network.vnetCidr);
  const pods = range("network.podCidr", "the pods", network.podCidr);
  const services = range("network.serviceCidr", "the services", network.serviceCidr);
  const pairs: readonly [Range, Range][] = [
    [pods, vnet],
    [services, vnet],
    [services, pods],
  ];
  return pairs
    .filter(([a, b]) => overlaps(a.cidr, b.cidr))
    .map(([a, b]) => ({
      path: a.path,
      value: a.text,
      uses: [a.path, b.path],
      problem: `overlaps ${b.text} of ${b.what} (${b.path})`,
      allowed: `a network that does not overlap ${b.what}`,
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
  const vnet = mustParseCidr(network.vnetCidr);
  const nodes = mustParseCidr(network.nodeSubnetCidr);
  const problems = (["controlPlaneSubnetCidr", "nodeSubnetCidr"] as const).flatMap((key) => {
    const subnet = mustParseCidr(network[key]);
    const path = `network.${key}`;
    const common = { path, value: network[key] };
    return present<Problem>(
      vnet.prefix <= 27 &&
        !contains(vnet, subnet) && {
          ...common,
          uses: [path, "network.vnetCidr"],
          problem: `not inside the VNET ${network.vnetCidr} (network.vnetCidr)`,
          allowed: `a part of ${network.vnetCidr}`,
        },
      subnet.prefix > 29 && {
        ...common,
        uses: [path],
        problem: "Azure does not allow subnets smaller than /29",
        allowed: "a prefix length of at most 29",
      },
    );
  });
  // Another subnet of the control plane overlaps something else.
  const isControlPlaneWrong = problems.some(({ path }) => path === "network.controlPlaneSubnetCidr");
  return present(
    ...problems,
    !isControlPlaneWrong &&
      overlaps(mustParseCidr(network.controlPlaneSubnetCidr), nodes) && {
        path: "network.nodeSubnetCidr",
        value: network.nodeSubnetCidr,
        uses: ["network.nodeSubnetCidr", "network.controlPlaneSubnetCidr", "network.vnetCidr"],
        problem: `overlaps ${network.controlPlaneSubnetCidr} of the control plane subnet (network.controlPlaneSubnetCidr)`,
        allowed: "subnets that do not overlap",
      },
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

/** Prefix length of the pod range that kube-controller-manager assigns to a node. With Calico, it assigns none. */
const nodeRangePrefix = 24;

/** How many nodes can have a pod range of their own of this size, and how many nodes there can be. */
function nodeRanges(settings: Settings, prefix = nodeRangePrefix) {
  const nodes = maxNodesOf(settings);
  return {
    ranges: Math.floor(2 ** (prefix - mustParseCidr(settings.network.podCidr).prefix)),
    nodes,
    /** Longest prefix of a range for all of them. */
    enough: prefix - Math.ceil(Math.log2(nodes)),
  };
}

/** Each node has at least one block of Calico's, and takes no address of another one's (strict affinity). */
function blockProblems(settings: Settings): Problem[] {
  const { calicoBlockSize: blockSize = calicoBlock.default } = settings.addons;
  const { ranges, nodes, enough } = nodeRanges(settings, blockSize);
  return present(
    settings.platform.cni === "calico" &&
      ranges < nodes && {
        path: "network.podCidr",
        value: settings.network.podCidr,
        uses: [
          ...["network.podCidr", "addons.calicoBlockSize"],
          ...["linuxPools", "windowsPools", "controlPlane.replicas"],
        ],
        problem: `Calico gives each node a /${blockSize} of the range (addons.calicoBlockSize), which has ${ranges}, but there can be ${nodes} nodes (including surge)`,
        allowed: `a prefix length of at most ${enough}, or smaller blocks; a cluster that exists keeps its range and its blocks`,
      },
  );
}

/** A warning only, and only with the users' own CNI, which may not need these ranges. */
export function nodeRangeWarnings(settings: Settings): Warning[] {
  const { ranges, nodes, enough } = nodeRanges(settings);
  return present(
    settings.platform.cni === "none" &&
      ranges < nodes && {
        path: "network.podCidr",
        message: `the range has a /${nodeRangePrefix} for each of ${ranges} nodes, but there can be ${nodes} nodes (including surge): a CNI that waits for the range of its node, as Flannel and Antrea do, never runs on the others; a prefix length of at most ${enough} has one for each`,
      },
  );
}

function capacityProblems(settings: Settings): Problem[] {
  const { network, platform } = settings;
  const machines = machinesIn(settings);
  const subnets = [
    { key: "nodeSubnetCidr", uses: ["linuxPools", "windowsPools"] },
    { key: "controlPlaneSubnetCidr", uses: ["controlPlane.replicas"] },
  ] as const;
  const problems: Problem[] = subnets
    .map((subnet) => ({
      ...subnet,
      needs: machines[subnet.key],
      usable: usableAddresses(mustParseCidr(network[subnet.key])),
    }))
    // Other rules report a subnet that is too small for Azure.
    .filter(({ key, needs, usable }) => needs > usable && mustParseCidr(network[key]).prefix <= 29)
    .map(({ key, needs, uses, usable }) => ({
      path: `network.${key}`,
      value: network[key],
      uses: [`network.${key}`, "network.vnetCidr", ...uses],
      problem: `the subnet has ${usable} usable addresses, but there can be ${needs} machines (including surge)`,
      allowed: `a subnet for at least ${needs} machines (Azure reserves 5 addresses in each subnet)`,
    }));
  const { ranges, nodes, enough } = nodeRanges(settings);
  return platform.cni !== "flannel" || ranges >= nodes
    ? problems
    : [
        ...problems,
        {
          path: "network.podCidr",
          value: network.podCidr,
          uses: ["network.podCidr", "linuxPools", "windowsPools", "controlPlane.replicas"],
          problem: `the range has a /${nodeRangePrefix} for each of ${ranges} nodes, but there can be ${nodes} nodes (including surge)`,
          allowed: `a prefix length of at most ${enough}`,
        },
      ];
}

export const networkRules = (settings: Settings): Problem[] => [
  ...overlapProblems(settings),
  ...subnetProblems(settings),
  ...sizeProblems(settings),
  ...capacityProblems(settings),
  ...blockProblems(settings),
];
