import type { Cidr } from "../../domain/network/addressing";
import { contains, mustParseCidr, overlaps, usableAddresses } from "../../domain/network/addressing";
import { defaultPodCidr, defaultServiceCidr, defaultVnetCidr } from "../../domain/network/defaults";
import type { Problem } from "../../domain/problem";
import type { Settings } from "../settings";

/** Range that AKS gives the VNET which it makes for the management cluster. */
export const aksVnetCidr = "10.224.0.0/12";

/** Ranges that Azure does not let a VNET have (Microsoft, "Virtual network FAQ"). */
const reserved = ["224.0.0.0/4", "127.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32"];

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
  const { network, management } = settings;
  const vnet = range("network.vnetCidr", "the VNET", network.vnetCidr);
  const pods = range("network.podCidr", "the pods", network.podCidr);
  const services = range("network.serviceCidr", "the services", network.serviceCidr);
  const pairs: [Range, Range][] = [
    [pods, vnet],
    [services, vnet],
    [services, pods],
  ];
  if (management.kind === "aks") {
    // Not an error today, but the two networks could never be peered.
    pairs.push([vnet, range("management.kind", "the VNET of the AKS management cluster", aksVnetCidr)]);
  }
  return pairs
    .filter(([a, b]) => overlaps(a.cidr, b.cidr))
    .map(([a, b]) => ({
      path: a.path,
      value: a.text,
      uses: [a.path, b.path],
      problem: `it overlaps ${b.text} of ${b.what} (${b.path})`,
      allowed: `a network that shares no address with ${b.what}`,
      write:
        a === pods
          ? `podCidr: ${defaultPodCidr(settings.platform.cni)}`
          : a === services
            ? `serviceCidr: ${defaultServiceCidr}`
            : `vnetCidr: ${defaultVnetCidr}`,
    }));
}

function subnetProblems({ network }: Settings): Problem[] {
  const vnet = mustParseCidr(network.vnetCidr);
  const nodes = mustParseCidr(network.nodeSubnetCidr);
  const problems: Problem[] = [];
  for (const key of ["controlPlaneSubnetCidr", "nodeSubnetCidr"] as const) {
    const subnet = mustParseCidr(network[key]);
    const path = `network.${key}`;
    if (vnet.prefix <= 27 && !contains(vnet, subnet)) {
      problems.push({
        path,
        value: network[key],
        uses: [path, "network.vnetCidr"],
        problem: `it is not inside the VNET ${network.vnetCidr}`,
        allowed: `a part of ${network.vnetCidr}`,
        write: `take ${key} out, then a fitting part is chosen`,
      });
    }
    if (subnet.prefix > 29) {
      problems.push({
        path,
        value: network[key],
        uses: [path],
        problem: "Azure has no subnet smaller than /29",
        allowed: "a prefix of at most 29",
        write: `take ${key} out, then a fitting part is chosen`,
      });
    }
  }
  if (overlaps(mustParseCidr(network.controlPlaneSubnetCidr), nodes)) {
    problems.push({
      path: "network.nodeSubnetCidr",
      value: network.nodeSubnetCidr,
      uses: ["network.nodeSubnetCidr", "network.controlPlaneSubnetCidr", "network.vnetCidr"],
      problem: `it overlaps ${network.controlPlaneSubnetCidr} of the control plane subnet`,
      allowed: "two subnets without a common address",
      write: "take nodeSubnetCidr and controlPlaneSubnetCidr out, then fitting parts are chosen",
    });
  }
  return problems;
}

function sizeProblems(settings: Settings): Problem[] {
  const { network } = settings;
  const problems: Problem[] = [];
  const tooBig = (
    key: "vnetCidr" | "podCidr" | "serviceCidr",
    from: number,
    to: number,
    why: string,
    write: string,
  ) => {
    const { prefix } = mustParseCidr(network[key]);
    if (prefix < from || prefix > to) {
      problems.push({
        path: `network.${key}`,
        value: network[key],
        uses: [`network.${key}`],
        problem: why,
        allowed: `a prefix from /${from} to /${to}`,
        write: `${key}: ${write}`,
      });
    }
  };
  tooBig(
    "vnetCidr",
    8,
    27,
    "a VNET has room for a control plane and a node subnet between these sizes",
    defaultVnetCidr,
  );
  tooBig(
    "podCidr",
    8,
    24,
    settings.platform.cni === "flannel"
      ? "each node gets a /24 of it, and kube-controller-manager divides no more than 16 bits"
      : "Calico hands out blocks of 64 addresses a node, and IPv4 pools larger than /8 are refused",
    defaultPodCidr(settings.platform.cni),
  );
  tooBig(
    "serviceCidr",
    12,
    28,
    "the API server takes at most 20 bits of service addresses and needs at least 16",
    defaultServiceCidr,
  );
  const forbidden = reserved.find((text) => overlaps(mustParseCidr(text), mustParseCidr(network.vnetCidr)));
  if (forbidden !== undefined) {
    problems.push({
      path: "network.vnetCidr",
      value: network.vnetCidr,
      uses: ["network.vnetCidr"],
      problem: `Azure keeps ${forbidden} for itself`,
      allowed: "a network without 224.0.0.0/4, 127.0.0.0/8, 169.254.0.0/16 and 168.63.129.16",
      write: `vnetCidr: ${defaultVnetCidr}`,
    });
  }
  return problems;
}

/** Prefix of the pod range that kube-controller-manager gives to a node. Calico divides by itself. */
const nodeRangePrefix = 24;

/** Nodes that may exist at once: the wanted number or the autoscaler's maximum, and the surge. */
function largest(pool: Settings["linuxPools"][string]): number {
  const nodes = pool.autoscale?.max ?? pool.replicas;
  const { maxSurge } = pool.rollout;
  return (
    nodes + (typeof maxSurge === "number" ? maxSurge : Math.ceil((nodes * Number.parseInt(maxSurge)) / 100))
  );
}

function roomProblems(settings: Settings): Problem[] {
  const { network, controlPlane, platform } = settings;
  const workers = [...Object.values(settings.linuxPools), ...Object.values(settings.windowsPools)].reduce(
    (sum, pool) => sum + largest(pool),
    0,
  );
  // One machine more than wanted while the control plane rolls.
  const controlPlaneMachines = controlPlane.replicas + 1;
  const subnets = [
    { key: "nodeSubnetCidr", needs: workers, uses: ["linuxPools", "windowsPools"] },
    { key: "controlPlaneSubnetCidr", needs: controlPlaneMachines, uses: ["controlPlane.replicas"] },
  ] as const;
  const problems: Problem[] = subnets
    .map(({ key, needs, uses }) => ({ key, needs, uses, room: usableAddresses(mustParseCidr(network[key])) }))
    .filter(({ needs, room }) => needs > room)
    .map(({ key, needs, uses, room }) => ({
      path: `network.${key}`,
      value: network[key],
      uses: [`network.${key}`, "network.vnetCidr", ...uses],
      problem: `it has ${room} addresses for machines, and with surge there can be ${needs}`,
      allowed: `room for ${needs} machines (Azure keeps 5 addresses of each subnet)`,
      write: "vnetCidr: a larger network, or smaller pools",
    }));
  const ranges = 2 ** (nodeRangePrefix - mustParseCidr(network.podCidr).prefix);
  const nodes = workers + controlPlaneMachines;
  return platform.cni !== "flannel" || ranges >= nodes
    ? problems
    : [
        ...problems,
        {
          path: "network.podCidr",
          value: network.podCidr,
          uses: ["network.podCidr", "linuxPools", "windowsPools", "controlPlane.replicas"],
          problem: `it has a /${nodeRangePrefix} for ${ranges} nodes, and with surge there can be ${nodes}`,
          allowed: `a prefix of at most ${nodeRangePrefix - Math.ceil(Math.log2(nodes))}`,
          write: `podCidr: ${defaultPodCidr(platform.cni)}`,
        },
      ];
}

export const networkRules = (settings: Settings): Problem[] => [
  ...overlapProblems(settings),
  ...subnetProblems(settings),
  ...sizeProblems(settings),
  ...roomProblems(settings),
];
