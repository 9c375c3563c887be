import { collapseCidrs } from "../../../platform/network/addressing";
import { firewallRule, type HostsModel } from "../../../platform/network/hosts";
import type { ClusterModel } from "../model/cluster/types";
import type { Row } from "./layout";

/** Hosts on the Internet that a stack needs, for those who keep a firewall or a proxy. */

const quoted = (hosts: readonly string[]): string =>
  [...new Set(hosts)]
    .sort()
    .map((host) => (host.includes("*") ? `'${host}'` : host))
    .join(" ");

/** Where they have addresses: the control plane is Linux, and a pool without a subnet is in the first one of nodes. */
function sourcesOf(who: string, { network: { subnets }, pools }: ClusterModel): string[] {
  const isLinux = who === "Linux machines";
  const first = subnets.find(({ role }) => role === "node")?.name ?? "";
  const names = pools
    .filter(({ os }) => (os === "linux") === isLinux)
    .flatMap((pool) => pool.subnets ?? first);
  return collapseCidrs(
    subnets
      .filter(({ name, role }) => names.includes(name) || (isLinux && role === "control-plane"))
      .flatMap(({ cidrs }) => cidrs),
  );
}

/** Rules of Azure Firewall for machines by what they run; HTTPS by application rules, the rest by network rules. */
function ruleCommands(cluster: ClusterModel): string[] {
  return Object.entries({ "Linux machines": "linux", "Windows nodes": "windows" }).flatMap(
    ([machines, os]) => {
      const needed = cluster.hosts.filter(({ who }) => who === machines);
      return [...new Set(needed.map(({ port }) => port))].map((port) => {
        const names = quoted(needed.filter((one) => one.port === port).flatMap((one) => one.hosts));
        return firewallRule(
          `${cluster.name}-${os}-${port}`,
          sourcesOf(machines, cluster),
          port === 1688
            ? `--rule-type NetworkRule --ip-protocols TCP --destination-ports ${port} --destination-fqdns ${names}`
            : `--rule-type ApplicationRule --protocols Https=${port} --target-fqdns ${names}`,
        );
      });
    },
  );
}

const lineOf = ({ why, port, hosts }: HostsModel): string => `TCP ${port}: ${hosts.join(" ")} (${why})`;

/** For networks in which not everything may leave. */
export function hostRows(cluster: ClusterModel): Row[] {
  const { hosts, network } = cluster;
  const { byOthers, outbound, egress } = network;
  const isFirewall = outbound?.what === "firewall" || outbound?.what === "route table of others";
  if (byOthers === undefined && !isFirewall && outbound?.what !== "none" && egress?.proxy === undefined) {
    return [];
  }
  const people = [...new Set(hosts.map(({ who }) => who))];
  return [
    ...people.map((label): Row => ({
      label,
      lines: hosts.filter(({ who }) => who === label).map(lineOf),
    })),
    {
      label: "not listed",
      lines: [
        "what your workloads call, and where registries redirect to later: the log of the firewall names it; no NTP, because machines have the time from their host",
      ],
    },
    ...(isFirewall && egress?.proxy === undefined
      ? [
          {
            label: "commands",
            lines: [
              "Azure Firewall (az extension add --name azure-firewall; a name in a network rule needs its DNS proxy):",
              ...ruleCommands(cluster).map((command) => ({ command })),
            ],
          },
        ]
      : []),
  ];
}
