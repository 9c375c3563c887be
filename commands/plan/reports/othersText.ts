import { pathText } from "../../../platform/network/reach/paths";
import type { ClusterModel } from "../model/cluster/types";
import { hostRows } from "./hostRows";
import { row, rowLines } from "./layout";
import { othersRows, othersTitle } from "./othersRows";

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
