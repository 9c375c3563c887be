import type { Cni } from "capz-windows-platform/cluster/platform";
import type { Problem } from "capz-windows-kit/problem";
import { bastionSubnetName } from "capz-windows-platform/network/bastion";
import { azureDns } from "capz-windows-platform/company-network/peerings";
import {
  api,
  entering,
  fromBalancer,
  fromOutside,
  fromStrangers,
  fromWayIn,
  oneWay,
  routersOf,
  notIn,
  tcp,
  toApi,
  toDns,
  toMachines,
  toTarget,
  type Subject,
} from "./ends";
import { between, keptByOthers, type Port } from "./reach";
import { all, byOthers, unknown, type Subnet, type Verdict } from "./topology";
import { present } from "capz-windows-kit/present";

/** The paths of a cluster: those that it needs, and those that must be shut. */

export interface ReachPath extends Verdict {
  readonly from: string;
  readonly to: string;
  /** "TCP 6443" */
  readonly port: string;
  readonly wanted: "open" | "shut";
}

const textOf = ({ protocol, port }: Port): string => `${protocol.toUpperCase()} ${port}`;

/**
 * What machines say to each other: VXLAN of every CNI of the stack, Typha of Calico (docs.tigera.io, "System requirements"),
 * kubelet and etcd (kubernetes.io, "Ports and Protocols").
 */
const amongMachines = (cni: Cni): readonly (Port & { readonly what: string })[] => [
  ...(cni === "none" ? [] : [{ protocol: "Udp", port: 4789, what: "VXLAN" } as const]),
  ...(cni === "calico" ? [{ ...tcp(5473), what: "Typha" }] : []),
  { ...tcp(10_250), what: "kubelet" },
];

/** Of Services (kubernetes.io, "Service", --service-node-port-range), which load balancers probe, too. */
const nodePorts = [30_000, 32_767] as const;

/** A rule that names ports is for TCP and UDP. */
const icmp: Port = { protocol: "Icmp", port: 0 };

const needed = (from: string, to: string, port: string, verdict: Verdict): ReachPath => ({
  ...{ from, to, port, wanted: "open" },
  ...verdict,
});

const labelsOf = (groups: readonly { readonly label: string }[]): string =>
  groups.map(({ label }) => label).join(", ");

/** From the management cluster to the API server: by its private endpoint, or from its addresses. */
function fromManagement(subject: Subject, controlPlane: Subnet): Verdict {
  const { topology, management } = subject;
  if (management.endpoint !== undefined) {
    return all([management.endpoint, ...between(topology, controlPlane, controlPlane, api)]);
  }
  if (management.cidrs === undefined) {
    return all([unknown(management.why ?? ""), ...keptByOthers(controlPlane, "Inbound", "them")]);
  }
  return fromOutside(subject, management.cidrs, controlPlane, api);
}

/** Every path of a cluster, in an order for readers. */
export function pathsOf(subject: Subject): ReachPath[] {
  const { topology, machines, management, people, targets, cni, privateSsh = false } = subject;
  const groups = machines.flatMap(({ label, subnet }) => {
    const found = topology.subnets.find(({ name }) => name === subnet);
    return found === undefined ? [] : [{ label, subnet: found }];
  });
  const [first] = groups;
  if (first === undefined) {
    return [];
  }
  const controlPlane = first.subnet;
  const subnets = groups.map(({ subnet }) => subnet);
  const [, ...pools] = groups;
  const subnetsOfPools = pools.map(({ subnet }) => subnet);
  const entrances = [
    [api, "API server"],
    [tcp(22), first.label],
  ] as const;
  // Whether people come from outside to a port.
  const isFor = (port: Port): boolean => people.length > 0 && !(privateSsh && port !== api);
  const bastions = topology.subnets.filter(({ name }) => name === bastionSubnetName);
  const each = (to: string, port: string, verdict: (subnet: Subnet) => Verdict): ReachPath[] =>
    groups.map(({ label, subnet }) => needed(label, to, port, verdict(subnet)));
  // No control plane has RDP.
  const logins = (label: string, verdict: (to: readonly Subnet[], port: Port) => Verdict): ReachPath[] =>
    present(
      needed(label, "all machines", textOf(tcp(22)), verdict(subnets, tcp(22))),
      pools.length > 0 &&
        needed(label, labelsOf(pools), textOf(tcp(3389)), verdict(subnetsOfPools, tcp(3389))),
    );
  return joinedPaths<ReachPath>(
    present(
      ...each("API server", textOf(api), (subnet) => toApi(subject, subnet, controlPlane)),
      needed("load balancer", "API server", textOf(api), fromBalancer(topology, [controlPlane], api)),
      pools.length > 0 &&
        needed(
          "load balancer",
          labelsOf(pools),
          `TCP ${nodePorts.join("-")} NodePorts`,
          all(nodePorts.map((port) => fromBalancer(topology, subnetsOfPools, tcp(port)))),
        ),
      needed(management.label, "API server", textOf(api), fromManagement(subject, controlPlane)),
      ...amongMachines(cni).flatMap((port) =>
        each("all machines", `${textOf(port)} ${port.what}`, (subnet) =>
          toMachines(topology, subnet, subnets, port),
        ),
      ),
      needed(
        first.label,
        first.label,
        "TCP 2379-2380 etcd",
        all([2379, 2380].flatMap((port) => between(topology, controlPlane, controlPlane, tcp(port)))),
      ),
      ...each("DNS", "UDP 53", (subnet) => toDns(topology, subnet)),
      ...targets.flatMap((target) =>
        each(target.label, textOf(tcp(target.port)), (subnet) => toTarget(subject, subnet, target)),
      ),
      ...entrances
        .filter(([port]) => isFor(port))
        .map(([port, to]) =>
          needed(
            "administrators",
            to,
            textOf(port),
            fromOutside(subject, entering(people), controlPlane, port),
          ),
        ),
      ...(subject.wayIn === undefined
        ? []
        : logins(subject.wayIn.label, (to, port) => fromWayIn(subject, to, port))),
      ...routersOf(subject, subnets).map(({ label, cidrs }) =>
        needed(label, "all machines", "ICMP fragmentation needed", oneWay(topology, cidrs, subnets, icmp)),
      ),
      ...bastions.flatMap((subnet) =>
        logins("Azure Bastion", (to, port) => toMachines(topology, subnet, to, port)),
      ),
      ...entrances.map(([port, to]): ReachPath => ({
        ...needed(
          "others on the Internet",
          to,
          textOf(port),
          fromStrangers(subject, subnets, controlPlane, port),
        ),
        wanted: isFor(port) && notIn(people).length === 0 ? "open" : "shut",
      })),
      {
        ...{ from: "pods", to: `wire server ${azureDns}`, port: "TCP 80, 32526", wanted: "shut" },
        ...subject.wireserver,
      },
    ),
  );
}

/** Those that differ in one part only, their start or their port, as one. */
export function joinedPaths<T extends Pick<ReachPath, "from" | "port" | "others">>(paths: readonly T[]): T[] {
  return (["port", "from"] as const).reduce<readonly T[]>((all, part) => {
    const kept = new Map<string, T>();
    for (const one of all) {
      const { others } = one;
      const key = JSON.stringify({
        ...{ ...one, [part]: "", fix: "" },
        ...(others === undefined ? {} : { by: "", others: others.map(({ what }) => what) }),
      });
      const before = kept.get(key);
      kept.set(
        key,
        before === undefined
          ? one
          : {
              ...{ ...before, [part]: `${before[part]}, ${one[part]}` },
              ...(others === undefined ? {} : byOthers([...(before.others ?? []), ...others])),
            },
      );
    }
    return [...kept.values()];
  }, paths) as T[];
}

export const stateWords = { open: "open", shut: "shut", unknown: "up to others", none: "none" } as const;

export const pathText = ({ from, to, port }: Pick<ReachPath, "from" | "to" | "port">): string =>
  `${from} → ${to} (${port})`;

/** What a path is: "open", "shut", "up to others", and whether that is as it must be. */
const stateText = ({ state, wanted }: ReachPath): string =>
  state === "unknown" || state === wanted ? stateWords[state] : `${state}, should be ${wanted}`;

export const lineText = (path: ReachPath): string => `${pathText(path)} is ${stateText(path)}: ${path.by}`;

/**
 * What shuts a path that the cluster needs, or opens one that must be shut; nothing of those about which others decide, or
 * which the stack file leaves open.
 */
export const pathProblems = (paths: readonly ReachPath[]): Problem[] =>
  paths.flatMap(({ from, to, port, wanted, state, by, fix }): Problem[] => {
    if (fix === undefined || state === wanted) {
      return [];
    }
    return state === "shut"
      ? [{ ...fix, code: "shut", problem: `${from} cannot reach ${to} (${port}): shut by ${by}` }]
      : [{ ...fix, problem: `${from} can reach ${to} (${port}): opened by ${by}` }];
  });
