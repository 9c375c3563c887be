import { memoize } from "capz-windows-kit/memoize";
import { type Arrow, arrowsOf } from "./imports";
import { sourcesOf } from "./sources";

/** What every room of the program may know: what a plan says, add-ons, what nodes are told, facts, objects, small helpers. */
const facts = [
  ...["contract", "capz-types", "platform", "azure-network-paths", "kit"].map((name) => `packages/${name}`),
  ...["addons", "bootstrap", "capi"],
];

/** What a package may use that knows a stack by the contract, and not by its file. */
const libraries = [
  ...["contract", "capz-types", "platform", "kit", "kit/io", "kit/commandLine"].map(
    (name) => `packages/${name}`,
  ),
];

/** What every command of the root may use. */
const shared = ["config", "commands/stack", "packages/kit/io", "packages/kit/commandLine", ...facts];

const cluster = "packages/doctor/cluster";

/**
 * Which layer may import which. A layer is a top-level folder, a folder of packages/, commands/ or plan/, or a part of a package
 * that is named here; what is not listed is not allowed. docs/architecture.md shows what is really imported, drawn from the same
 * sources.
 */
export const allowed: Readonly<Record<string, readonly string[]>> = {
  "index.ts": ["program", "components"],
  program: ["components", "config", "older/addons", "older/config", ...facts],
  components: ["packages/kit/io", "older/addons", ...facts],
  config: facts,
  addons: [
    "packages/kit/io",
    "bootstrap",
    "capi",
    "packages/platform",
    "packages/capz-types",
    "packages/kit",
  ],
  bootstrap: ["capi", "packages/platform", "packages/capz-types", "packages/kit"],
  capi: ["packages/platform", "packages/capz-types", "packages/kit"],
  // What serves older systems alone. The rooms below have a place for it (packages/kit/extensionPoint.ts), which it fills.
  "older/addons": facts,
  "older/config": ["config", "older/addons", ...facts],
  "older/import": ["commands/import", "config", ...facts],
  "packages/plan-engine": [],
  "packages/contract": [],
  "packages/capz-types": [],
  "packages/kit": [],
  "packages/kit/io": ["packages/kit"],
  "packages/kit/commandLine": ["packages/contract", "packages/kit", "packages/kit/io"],
  "packages/platform": ["packages/contract", "packages/capz-types", "packages/kit"],
  "packages/azure-network-paths": ["packages/platform", "packages/kit"],
  [cluster]: libraries,
  "packages/doctor": [cluster, ...libraries],
  "packages/doctor/access": ["packages/doctor", cluster, ...libraries],
  "packages/doctor/encryption": ["packages/doctor", cluster, ...libraries],
  "packages/probe": ["packages/doctor", cluster, ...libraries],
  "packages/windows-workloads": ["packages/doctor", cluster, ...libraries],
  "plan/simulation": ["packages/plan-engine"],
  "plan/model": ["packages/plan-engine", "config", ...facts],
  // What the plan finds in a stack file, found in what a program registers.
  "plan/checks": ["plan/model", "packages/plan-engine", "config", ...facts],
  "plan/compare": ["plan/model", ...facts],
  "plan/impact": ["plan/compare", "plan/model", ...facts],
  "plan/cost": ["plan/model", "packages/kit/io", ...facts],
  "plan/render": ["plan/reports", "plan/model", "packages/kit/commandLine", "packages/kit/io", ...facts],
  "plan/reports": [
    ...["impact", "compare", "cost", "model"].map((name) => `plan/${name}`),
    ...["packages/kit/io", ...facts],
  ],
  "plan/cli": [
    ...["reports", "render", "impact", "compare", "cost", "checks", "model", "simulation"].map(
      (name) => `plan/${name}`,
    ),
    "packages/plan-engine",
    ...shared,
  ],
  // Reads stack files for all commands, and for the packages, which get it from here (packages/kit/commandLine/stackReader.ts).
  "commands/stack": [
    ...["config", "older/addons", "older/config"],
    ...["packages/contract", "packages/kit", "packages/kit/commandLine"],
  ],
  "commands/azure": ["packages/kit/io", ...facts],
  "commands/explain": shared,
  "commands/preflight": [
    "commands/azure",
    "plan/cli",
    "plan/model",
    ...shared.filter((room) => room !== "config"),
  ],
  "commands/import": [...["plan/cli", "plan/compare", "plan/model", cluster], ...shared],
  "commands/images": [
    ...["commands/azure", "plan/cli", "plan/model", "packages/windows-workloads"],
    ...shared,
  ],
  "commands/pipeline": ["plan/reports", ...shared],
  "commands/init": shared,
  // The command of the installed package starts all others.
  "commands/package": [
    ...["explain", "images", "import", "init", "pipeline", "preflight"].map((name) => `commands/${name}`),
    ...["doctor", "doctor/access", "doctor/encryption", "probe", "windows-workloads"].map(
      (name) => `packages/${name}`,
    ),
    ...["plan/cli", "older/import"],
    ...shared,
  ],
};

/** Parts of packages that are layers of their own. */
const parts = Object.keys(allowed).filter((layer) => layer.split("/").length === 3);

export const layerOf = (path: string): string => {
  const [top = "", folder = "", part = ""] = path.split("/");
  if (parts.includes(`${top}/${folder}/${part}`)) {
    return `${top}/${folder}/${part}`;
  }
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
    : `${from} -> ${to}: a component imports no other one; what both need belongs into packages/platform/`;
}
