import { memoize } from "../../tools/memoize";
import { type Arrow, arrowsOf } from "./imports";
import { sourcesOf } from "./sources";

/** What every room may know: what a plan says, add-ons, what nodes are told, facts, Cluster API's objects, small tools. */
const facts = ["packages/contract", "addons", "bootstrap", "platform", "capi", "tools"];

/** What tools may use that know a stack by the contract, and not by its file. */
const tools = ["commands/commandLine", "io", ...facts];

/** What every other command may use. */
const shared = ["config", ...tools];

/**
 * Which layer may import which. A layer is a top-level folder, a folder of packages/, commands/ or plan/; what is not listed
 * is not allowed. docs/architecture.md shows what is really imported, drawn from the same sources.
 */
export const allowed: Readonly<Record<string, readonly string[]>> = {
  "index.ts": ["program", "components"],
  program: ["components", "config", "older/addons", "older/config", ...facts],
  components: ["io", "older/addons", ...facts],
  config: facts,
  addons: ["io", "bootstrap", "platform", "capi", "tools"],
  bootstrap: ["platform", "capi", "tools"],
  platform: ["packages/contract", "capi", "tools"],
  capi: ["tools"],
  tools: [],
  io: [],
  // What serves older systems alone. The rooms below have a place for it (tools/extensionPoint.ts), which it fills.
  "older/addons": facts,
  "older/config": ["config", "older/addons", ...facts],
  "older/import": ["commands/import", "config", ...facts],
  // What the plan finds in a stack file, found in what a program registers.
  "commands/commandLine": ["packages/contract", "config", "older/addons", "older/config", "io", "tools"],
  "commands/cluster": tools,
  "commands/azure": ["io", ...facts],
  "packages/plan-engine": [],
  "packages/contract": [],
  "plan/simulation": ["packages/plan-engine"],
  "plan/model": ["packages/plan-engine", "config", ...facts],
  "plan/checks": ["plan/model", "packages/plan-engine", "config", ...facts],
  "plan/compare": ["plan/model", ...facts],
  "plan/impact": ["plan/compare", "plan/model", ...facts],
  "plan/cost": ["plan/model", "io", ...facts],
  "plan/render": ["plan/reports", "plan/model", "commands/commandLine", "io", ...facts],
  "plan/reports": [...["impact", "compare", "cost", "model"].map((name) => `plan/${name}`), "io", ...facts],
  "plan/cli": [
    ...["reports", "render", "impact", "compare", "cost", "checks", "model", "simulation"].map(
      (name) => `plan/${name}`,
    ),
    "packages/plan-engine",
    ...shared,
  ],
  "commands/explain": shared,
  "commands/preflight": ["commands/azure", "plan/cli", "plan/model", ...tools],
  "commands/doctor": ["commands/cluster", ...tools],
  "commands/access": ["commands/doctor", "commands/cluster", ...tools],
  "commands/probe": ["commands/doctor", "commands/cluster", ...tools],
  "commands/encryption": ["commands/doctor", "commands/cluster", ...tools],
  "commands/workloads": ["commands/doctor", "commands/cluster", ...tools],
  "commands/import": [...["plan/cli", "plan/compare", "plan/model", "commands/cluster"], ...shared],
  "commands/images": [...["commands/azure", "plan/cli", "plan/model", "commands/workloads"], ...shared],
  "commands/pipeline": ["plan/reports", ...shared],
  // The command of the installed package starts all others.
  "commands/package": [
    ...[
      "access",
      "doctor",
      "encryption",
      "explain",
      "images",
      "import",
      "init",
      "pipeline",
      "preflight",
      "probe",
      "workloads",
    ].map((name) => `commands/${name}`),
    "plan/cli",
    "older/import",
    ...shared,
  ],
  "commands/init": shared,
};

export const layerOf = (path: string): string => {
  const [top = "", folder = ""] = path.split("/");
  return ["commands", "older", "packages", "plan"].includes(top) ? `${top}/${folder}` : top;
};

/** Imports of values and types, and the modules that are loaded lazily. */
export const importsOf = memoize((layers: readonly string[]): readonly Arrow[] =>
  sourcesOf(layers).flatMap(({ path, text }) => arrowsOf(path, text)),
);

/** The folder of the component that a file belongs to. */
const componentOf = (path: string): string | undefined => /^components\/([^/]+)\//.exec(path)?.[1];

const barrel = "components/index.ts";

/** It serves what the index has. */
const plugin = "components/plugin.ts";

/** Why an import is not allowed; `undefined` for one that is. */
export function violation({ from, to }: Arrow): string | undefined {
  const [a, b] = [layerOf(from), layerOf(to)];
  if (a !== b) {
    return (allowed[a] ?? []).includes(b)
      ? undefined
      : `${from} -> ${to}: ${a} may import ${(allowed[a] ?? []).join(", ") || "nothing of the project"}`;
  }
  if (a !== "components" || from === barrel || from === plugin) {
    return undefined;
  }
  const [own, other] = [componentOf(from), componentOf(to)];
  if (to === barrel) {
    return `${from} -> ${to}: the index is for other programs, and imports all components`;
  }
  if (other === undefined || own === other) {
    return undefined;
  }
  return own === undefined
    ? `${from} -> ${to}: what all components share imports none of them`
    : `${from} -> ${to}: a component imports no other one; what both need belongs into platform/`;
}
