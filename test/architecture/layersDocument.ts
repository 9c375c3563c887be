import type { Arrow } from "./imports";
import { allowed, importsOf, layerOf } from "./layers";

/** The generated part of docs/architecture.md: the layers as they really import each other. */

/** A short description of each layer. */
const purposes: Readonly<Record<string, string>> = {
  "index.ts": "which components a stack has",
  program: "settings to component args, outputs",
  components: "Pulumi resources and their objects",
  config: "schema, defaults, rules, error report",
  addons: "the catalogue of add-ons, and their objects",
  bootstrap: "what a node is told at boot",
  platform: "facts about Azure, Windows and Kubernetes",
  capi: "types and rules of Cluster API's objects",
  tools: "small functions that know nothing of clusters",
  io: "atomic writes, downloads, text for a terminal",
  "older/addons": "Flannel, Calico by manifests, wins",
  "older/config": "rules of Docker and of old versions",
  "older/import": "apimodels of aks-engine",
  "plan/cli": "arguments, exit codes, git refs",
  "packages/plan-engine": "a Pulumi engine without a cloud",
  "packages/contract": "plan.json, for tools",
  "plan/simulation": "what Azure and Kubernetes would answer",
  "plan/model": "a recording as a cluster, pools, user data",
  "plan/checks": "references that lead nowhere",
  "plan/compare": "two plans, property by property",
  "plan/impact": "what a change does to machines",
  "plan/cost": "what a stack costs a month, by Azure's price list",
  "plan/render": "the files of a plan",
  "plan/reports": "text, Markdown, JSON, HTML",
  "commands/commandLine": "arguments and exit codes of every command",
  "commands/package": "the command of the installed package",
  "commands/init": "new projects that use the installed package",
  "commands/preflight": "what Azure will refuse, before a deployment",
  "commands/access": "commands to log in and to collect logs",
  "commands/cluster": "reads a live or recorded cluster",
  "commands/azure": "asks Azure Resource Manager",
  "commands/doctor": "what is wrong with a live cluster, and why",
  "commands/probe": "what real nodes measure, compared with the plan",
  "commands/encryption": "the stage of encryption at rest, and writing all Secrets again",
  "commands/explain": "what the schema says of a key, and what a component is",
  "commands/images": "newer versions of images, and how old they are",
  "commands/pipeline": "previews that can be approved, and texts for comments",
  "commands/import": "what other tools describe, as a stack file",
  "commands/workloads": "whether applications run on a stack's nodes",
};

/** Dependencies without an import: a layer that loads or starts another one by its path. */
const runs: readonly Arrow[] = [{ from: "packages/plan-engine", to: "index.ts" }];

/** The layers that each one imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const graphOf = (arrows: readonly Arrow[]): Graph =>
  new Map(
    Object.keys(allowed).map((layer) => [
      layer,
      new Set(
        arrows
          .filter(({ from, to }) => layerOf(from) === layer && layerOf(to) !== layer)
          .map(({ to }) => layerOf(to))
          .sort(),
      ),
    ]),
  );

/** The layers that can be reached from one, itself not included. */
function reachable(graph: Graph, from: string): Set<string> {
  const found = new Set<string>();
  const visit = (layer: string): void => {
    for (const next of graph.get(layer) ?? []) {
      if (!found.has(next)) {
        found.add(next);
        visit(next);
      }
    }
  };
  visit(from);
  return found;
}

/** The arrows of the picture: without those that a longer path implies, because there would be too many. */
const essential = (graph: Graph): Arrow[] =>
  [...graph].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reachable(graph, other).has(to)))
      .map((to) => ({ from, to })),
  );

const idOf = (layer: string): string => layer.replace(/\W/g, "_");

const node = (layer: string): string => {
  const name = layer.endsWith(".ts") ? layer : `${layer}/`;
  return `    ${idOf(layer)}["<b>${name}</b><br/>${purposes[layer] ?? ""}"]`;
};

function picture(graph: Graph): string[] {
  const layers = [...graph.keys()];
  const inPlan = (layer: string): boolean => /^(plan|packages)\//.test(layer);
  const isCommand = (layer: string): boolean => layer.startsWith("commands/") && !inPlan(layer);
  const arrow =
    (kind: string) =>
    ({ from, to }: Arrow) =>
      `  ${idOf(from)} ${kind} ${idOf(to)}`;
  return [
    "```mermaid",
    "flowchart TD",
    '  subgraph offline["npm run plan: offline"]',
    ...layers.filter(inPlan).map(node),
    "  end",
    '  subgraph deployed["pulumi up: the program"]',
    ...layers.filter((layer) => !inPlan(layer) && !isCommand(layer)).map(node),
    "  end",
    '  subgraph live["npm run explain, preflight, doctor, access, workloads, images, import, probe, encryption: what is outside"]',
    ...layers.filter(isCommand).map(node),
    "  end",
    ...essential(graph).map(arrow("-->")),
    ...runs.map(arrow('-. "runs it twice" .->')),
    "```",
  ];
}

const begin = "<!-- Generated by `npm run docs` from the imports; do not edit. -->";
const end = "<!-- End of the generated part. -->";

/**
 * The picture, between its markers.
 * @throws Error when a layer has no description
 */
export function layersSection(arrows: readonly Arrow[] = importsOf(Object.keys(allowed))): string {
  const missing = Object.keys(allowed).filter((layer) => purposes[layer] === undefined);
  if (missing.length > 0) {
    throw new Error(`test/architecture/layersDocument.ts: say what lives in ${missing.join(", ")}`);
  }
  const graph = graphOf(arrows);
  return [
    begin,
    "<!-- prettier-ignore-start -->",
    "",
    ...picture(graph),
    "",
    "A solid arrow is an import. Arrows that a longer path implies are left out.",
    "",
    "<!-- prettier-ignore-end -->",
    end,
  ].join("\n");
}

/**
 * A document with its generated part brought up to date.
 * @throws Error when the document has no such part
 */
export function withLayersSection(document: string, section: string): string {
  const [first, last] = [document.indexOf(begin), document.indexOf(end)];
  if (first === -1 || last < first) {
    throw new Error(`docs/architecture.md has no part between "${begin}" and "${end}"`);
  }
  return document.slice(0, first) + section + document.slice(last + end.length);
}
