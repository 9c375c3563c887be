import type { PoolModel } from "../model/cluster/types";
import type { Plan } from "../model/plan";
import type { PlanResource } from "../model/planDocument";
import type { TreeNode } from "../model/tree";
import { shortType } from "../model/resourceTypes";
import { resourceTree } from "../model/tree";

interface TreeLine {
  readonly branch: string;
  readonly name: string;
  readonly type: string;
  readonly note: string;
}

function treeLines(nodes: readonly TreeNode[], indent = "  "): TreeLine[] {
  return nodes.flatMap(({ resource, children, made }, index) => {
    const last = index === nodes.length - 1;
    const notes = [
      resource.options.protect === true ? "protected" : "",
      resource.custom ? "" : `${made} resources`,
    ].filter((note) => note !== "");
    const line = {
      branch: `${indent}${last ? "└─ " : "├─ "}`,
      name: resource.name,
      type: shortType(resource.type),
      note: notes.join(", "),
    };
    return [line, ...treeLines(children, `${indent}${last ? "   " : "│  "}`)];
  });
}

/** "3 MachinePool, 2 Namespace, …", most frequent first. */
function countByType(resources: readonly PlanResource[]): string {
  const counts = new Map<string, number>();
  for (const { type } of resources.filter(({ custom }) => custom)) {
    counts.set(shortType(type), (counts.get(shortType(type)) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([type, count]) => `${count} ${type}`)
    .join(", ");
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const wrapped = (text: string, indent: string): string =>
  (text.match(/.{1,100}(\s|$)/g) ?? [text]).map((line) => line.trimEnd()).join(`\n${indent}`);

const poolText = ({ name, scaleSet, computerNamePrefix, firstNodes, image }: PoolModel): string => {
  const machines =
    scaleSet === undefined
      ? `machines ${computerNamePrefix}...`
      : `scale set ${scaleSet}, first nodes ${firstNodes.join(", ")}`;
  return `  pool ${name.padEnd(8)}${machines}, image ${image}`;
};

/** What a plan prints. */
export function formatPlan(plan: Plan, { out, files }: { out: string; files: readonly string[] }): string {
  const { resources, cluster } = plan;
  const lines = treeLines(resourceTree(resources));
  const width = Math.max(...lines.map(({ branch, name }) => branch.length + name.length));
  const tree = lines.map(({ branch, name, type, note }) =>
    `${(branch + name).padEnd(width)}  ${type}${note === "" ? "" : `  (${note})`}`.trimEnd(),
  );
  const made = resources.filter(({ custom }) => custom).length;
  const components = resources.length - made - 1;
  return [
    `Plan of ${plan.project}, stack ${plan.stack}: ${made} resources in ${components} components`,
    "",
    ...tree,
    "",
    `  API server   https://${cluster.apiServer.host}:${cluster.apiServer.port}`,
    `  VNET         ${cluster.network.vnetId}, MTU ${cluster.network.mtu}`,
    ...cluster.pools.map(poolText),
    "",
    `  ${wrapped(countByType(resources), "  ")}`,
    "",
    ...(plan.warnings.length > 0
      ? ["Warnings", ...plan.warnings.map((text) => `  ! ${wrapped(text, "    ")}`), ""]
      : []),
    `${files.length} files in ${out}: ${[...new Set(files.map((file) => file.replace(/\/.*/, "/")))].join(" ")}`,
    `Planned as a first preview and as an update in ${seconds(plan.elapsedMs)}. Nothing was created, and no cloud was asked.`,
    "",
  ].join("\n");
}
