import type { RegisteredResource } from "./engine";
import { redact } from "./engine";
import type { Plan } from "./plan";
import type { TreeNode } from "./tree";
import { shortType } from "./resourceTypes";
import { resourceTree } from "./tree";

interface Row {
  readonly branch: string;
  readonly name: string;
  readonly type: string;
  readonly note: string;
}

function rows(nodes: readonly TreeNode[], indent = "  "): Row[] {
  return nodes.flatMap(({ resource, children, made }, index) => {
    const last = index === nodes.length - 1;
    const notes = [
      resource.options.protect === true ? "protected" : "",
      resource.custom ? "" : `${made} resources`,
    ].filter((note) => note !== "");
    const row = {
      branch: `${indent}${last ? "└─ " : "├─ "}`,
      name: resource.name,
      type: shortType(resource.type),
      note: notes.join(", "),
    };
    return [row, ...rows(children, `${indent}${last ? "   " : "│  "}`)];
  });
}

/** "3 MachinePool, 2 Namespace, …", most frequent first. */
function countByType(resources: readonly RegisteredResource[]): string {
  const counts = new Map<string, number>();
  for (const { type, custom: own } of resources) {
    if (own) {
      counts.set(shortType(type), (counts.get(shortType(type)) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([type, count]) => `${count} ${type}`)
    .join(", ");
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const wrapped = (text: string, indent: string): string =>
  (text.match(/.{1,100}(\s|$)/g) ?? [text]).map((line) => line.trimEnd()).join(`\n${indent}`);

/** What a plan prints. */
export function formatPlan(plan: Plan, { out, files }: { out: string; files: readonly string[] }): string {
  const { resources } = plan.update;
  const lines = rows(resourceTree(resources));
  const width = Math.max(...lines.map(({ branch, name }) => branch.length + name.length));
  const tree = lines.map(({ branch, name, type, note }) =>
    `${(branch + name).padEnd(width)}  ${type}${note === "" ? "" : `  (${note})`}`.trimEnd(),
  );
  const outputs = redact(plan.update.outputs) as Record<string, unknown>;
  const pools = Object.entries(
    (outputs.pools ?? {}) as Record<
      string,
      { scaleSet?: string; computerNamePrefix: string; image: string; firstNodes: string[] }
    >,
  );
  const made = resources.filter(({ custom: own }) => own).length;
  const components = resources.length - made - 1;
  return [
    `Plan of ${plan.project}, stack ${plan.stack}: ${made} resources in ${components} components`,
    "",
    ...tree,
    "",
    `  API server   https://${String(outputs.apiServerHost)}:6443`,
    `  VNET         ${String(outputs.vnetId)}, MTU ${String(outputs.mtu)}`,
    ...pools.map(
      ([name, { scaleSet, computerNamePrefix, image, firstNodes }]) =>
        `  pool ${name.padEnd(8)}${scaleSet === undefined ? `machines ${computerNamePrefix}...` : `scale set ${scaleSet}, first nodes ${firstNodes.join(", ")}`}, image ${image}`,
    ),
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
