import { collapseCidrs } from "../../../platform/network/addressing";
import { firewallRule, type HostsModel } from "../../../platform/network/hosts";
import { rangeOfSubnet } from "../../../platform/azure/managementRules";
import type { ClusterModel } from "../model/cluster/types";
import { copied, row, said, type ReportRow } from "./layout";

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

const aksTag = "AzureKubernetesService";

/** A rule of Azure Firewall for each port: HTTPS by application rules, the rest by network rules. */
const rulesFor = (name: string, sources: readonly string[], needed: readonly HostsModel[]): string[] =>
  [...new Set(needed.map(({ port }) => port))].map((port) => {
    const names = quoted(needed.filter((one) => one.port === port).flatMap((one) => one.hosts));
    return firewallRule(
      `${name}-${port}`,
      sources,
      port === 1688
        ? `--rule-type NetworkRule --ip-protocols TCP --destination-ports ${port} --destination-fqdns ${names}`
        : `--rule-type ApplicationRule --protocols ${port === 80 ? "Http" : "Https"}=${port} --target-fqdns ${names}`,
    );
  });

/** Rules for machines by what they run. */
const machineCommands = (cluster: ClusterModel): string[] =>
  Object.entries({ "Linux machines": "linux", "Windows nodes": "windows" }).flatMap(([machines, os]) =>
    rulesFor(
      `${cluster.name}-${os}`,
      sourcesOf(machines, cluster),
      cluster.hosts.filter(({ who }) => who === machines),
    ),
  );

/** Rules for the nodes of AKS. One has either names or tags, and API servers of clusters have rules in their own lists. */
function aksCommands({ hosts, management }: ClusterModel): string[] {
  const { subnetId = "", outbound } = management.aks?.network ?? {};
  const sources = [rangeOfSubnet(subnetId)];
  const named = hosts
    .filter(({ who, port }) => who === "management cluster" && port === 443)
    .map((one) => ({ ...one, hosts: one.hosts.filter((host) => host !== aksTag) }));
  return outbound !== "firewall"
    ? []
    : [
        ...rulesFor(management.name, sources, named),
        firewallRule(
          ...([`${management.name}-aks`, sources] as const),
          `--rule-type ApplicationRule --protocols Https=443 --fqdn-tags ${aksTag}`,
        ),
      ];
}

/** For networks in which not everything may leave. */
export function hostRows(cluster: ClusterModel): ReportRow[] {
  const { hosts, network, management } = cluster;
  const { byOthers = management.byOthers, outbound, egress } = network;
  const isFirewall = outbound?.what === "firewall" || outbound?.what === "route table of others";
  if (byOthers === undefined && !isFirewall && outbound?.what !== "none" && egress?.proxy === undefined) {
    return [];
  }
  const rules = [
    ...(isFirewall && egress?.proxy === undefined ? machineCommands(cluster) : []),
    ...aksCommands(cluster),
  ];
  const people = [...new Set(hosts.map(({ who }) => who))];
  return said(
    ...people.map((label) =>
      row(
        label,
        ...hosts
          .filter(({ who }) => who === label)
          .map((one) => `TCP ${one.port}: ${one.hosts.join(" ")} (${one.why})`),
      ),
    ),
    row(
      "not listed",
      "what your workloads call, and where registries redirect to later: the log of the firewall names it; no NTP, because machines have the time from their host",
    ),
    row(
      "commands",
      rules.length > 0 &&
        "Azure Firewall (az extension add --name azure-firewall; a name in a network rule needs its DNS proxy):",
      ...copied(rules),
    ),
  );
}
