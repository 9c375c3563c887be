import { pathText } from "azure-network-paths";
import type { ClusterModel } from "../model/cluster/types";
import { row, rowLines, said, type ReportRow } from "./layout";

/** What others make for a stack, and what it may do with what is theirs. */

export const othersTitle = "What others must make";

/** What a network of others must have, by its subject before the first colon. */
function requirementRows(requirements: readonly string[] = []): ReportRow[] {
  const rows = new Map<string, string[]>();
  for (const line of requirements) {
    const end = line.indexOf(": ");
    const label = line.slice(0, end);
    rows.set(label, [...(rows.get(label) ?? []), line.slice(end + 2)]);
  }
  return [...rows].map(([label, lines]) => ({ label, lines }));
}

/** Roles on resources of others: those that `pulumi up` assigns, and those of whoever runs it. */
function roleRows({ rights: { identities, people } }: ClusterModel): ReportRow[] {
  const own = identities.filter(({ ofOthers }) => ofOthers === true);
  const given = people.filter(({ ofOthers }) => ofOthers === true);
  return said(
    row(
      "roles",
      own.length > 0 &&
        "`pulumi up` makes these identities and assigns their roles: assign none of them yourself:",
      ...own.map(({ who, role, scope, why }) => `${who}: ${role} on ${scope}: ${why}`),
    ),
    row(
      "roles of people",
      ...given.map(({ who, role, scope, why }) => `${who}: ${role} on ${scope}: ${why}`),
      given.length > 0 &&
        "the condition, further roles on what the stack makes, and smaller roles are in rights/",
    ),
  );
}

export const othersRows = (cluster: ClusterModel): ReportRow[] => [
  ...requirementRows(cluster.management.byOthers),
  ...requirementRows(cluster.network.byOthers),
  ...roleRows(cluster),
];

/** Hosts on the Internet that a stack needs, for those who keep a firewall or a proxy. */
export function hostRows({ hosts, network, management }: ClusterModel): ReportRow[] {
  const { byOthers = management.byOthers, outbound, egress } = network;
  const isFirewall = outbound?.what === "firewall" || outbound?.what === "route table of others";
  if (byOthers === undefined && !isFirewall && outbound?.what !== "none" && egress?.proxy === undefined) {
    return [];
  }
  const people = [...new Set(hosts.map(({ who }) => who))];
  return [
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
  ];
}

/** A mail or a page of a ticket: editors and mail programs do not wrap it again. */
const width = 100;

/** What to give to the teams that own a network, a zone or a firewall; undefined where a stack needs nothing of theirs. */
export function othersText(cluster: ClusterModel): string | undefined {
  const rows = othersRows(cluster);
  const paths = cluster.reach.filter(({ state }) => state === "unknown");
  const sections = [
    { title: `${othersTitle} for ${cluster.name || cluster.management.name}`, rows },
    { title: "Hosts that machines reach", rows: hostRows(cluster) },
    { title: "Network paths that need it", rows: paths.map((path) => row(pathText(path), path.by)) },
  ];
  return rows.length === 0
    ? undefined
    : sections
        .filter((section) => section.rows.length > 0)
        .map((section) => [section.title, "", ...rowLines(section.rows, width), ""].join("\n"))
        .join("\n");
}
