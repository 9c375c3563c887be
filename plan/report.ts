import type { RegisteredResource } from "./engine/engine";
import { redact } from "./engine/values";
import type { Plan } from "./plan";

const stackType = "pulumi:pulumi:Stack";

/** `kubernetes:cluster.x-k8s.io/v1beta2:MachinePool` → `MachinePool`. */
const shortType = (type: string): string => type.split(":").at(-1) ?? type;

interface Row {
  readonly branch: string;
  readonly name: string;
  readonly type: string;
  readonly note: string;
}

function rows(resources: readonly RegisteredResource[]): Row[] {
  const children = new Map<string | undefined, RegisteredResource[]>();
  for (const resource of resources) {
    children.set(resource.parent, [...(children.get(resource.parent) ?? []), resource]);
  }
  const depth = depths(resources, children);
  const found: Row[] = [];
  const visit = (urn: string | undefined, indent: string): void => {
    const list = [...(children.get(urn) ?? [])].sort(
      (a, b) => depth(a) - depth(b) || (a.name < b.name ? -1 : 1),
    );
    list.forEach((resource, index) => {
      const last = index === list.length - 1;
      const notes = [
        resource.options.protect === true ? "protected" : "",
        resource.custom ? "" : `${custom(resource, children)} resources`,
      ].filter((note) => note !== "");
      found.push({
        branch: `${indent}${last ? "└─ " : "├─ "}`,
        name: resource.name,
        type: shortType(resource.type),
        note: notes.join(", "),
      });
      visit(resource.urn, `${indent}${last ? "   " : "│  "}`);
    });
  };
  const root = resources.find(({ type }) => type === stackType);
  visit(root?.urn, "  ");
  return found;
}

/**
 * How many resources must be there before one: the tree goes from the ground up. A component stands where the last
 * of its parts does.
 */
function depths(
  resources: readonly RegisteredResource[],
  children: ReadonlyMap<string | undefined, RegisteredResource[]>,
): (resource: RegisteredResource) => number {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const known = new Map<string, number>();
  const depth = (resource: RegisteredResource): number => {
    const before = known.get(resource.urn);
    if (before !== undefined) {
      return before;
    }
    const inner = (children.get(resource.urn) ?? []).map(depth);
    const outer = [...resource.dependencies, resource.provider?.urn ?? ""]
      .map((urn) => byUrn.get(urn))
      .filter((found) => found !== undefined)
      .map((found) => depth(found) + 1);
    const own = Math.max(0, ...inner, ...outer);
    known.set(resource.urn, own);
    return own;
  };
  return depth;
}

function custom(
  resource: RegisteredResource,
  children: ReadonlyMap<string | undefined, RegisteredResource[]>,
): number {
  return (children.get(resource.urn) ?? []).reduce(
    (sum, child) => sum + (child.custom ? 1 : 0) + custom(child, children),
    0,
  );
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
  const lines = rows(resources);
  const width = Math.max(...lines.map(({ branch, name }) => branch.length + name.length));
  const tree = lines.map(({ branch, name, type, note }) =>
    `${(branch + name).padEnd(width)}  ${type}${note === "" ? "" : `  (${note})`}`.trimEnd(),
  );
  const outputs = redact(plan.update.outputs) as Record<string, unknown>;
  const pools = Object.entries(
    (outputs.pools ?? {}) as Record<string, { scaleSet: string; image: string; firstNodes: string[] }>,
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
      ([name, { scaleSet, image, firstNodes }]) =>
        `  pool ${name.padEnd(8)}scale set ${scaleSet}, first nodes ${firstNodes.join(", ")}, image ${image}`,
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
