import { type Arrow, arrowsOf } from "./imports";
import { sourcesOf } from "./sources";

/**
 * Which layer may import which. A layer is a top-level folder, or a folder of plan/; what is not listed is not allowed.
 * docs/architecture.md shows what is really imported, drawn from the same sources.
 */
export const allowed: Readonly<Record<string, readonly string[]>> = {
  "index.ts": ["program", "components"],
  program: ["components", "config", "domain"],
  components: ["domain", "io"],
  config: ["domain"],
  domain: [],
  io: [],
  "plan/engine": [],
  "plan/model": ["plan/engine", "config", "domain"],
  "plan/checks": ["plan/model", "plan/engine", "config", "domain"],
  "plan/compare": ["plan/model", "domain"],
  "plan/impact": ["plan/compare", "plan/model", "domain"],
  "plan/render": ["plan/model", "domain", "io"],
  "plan/reports": ["plan/impact", "plan/compare", "plan/model", "domain", "io"],
  "plan/cli": [
    ...["plan/reports", "plan/render", "plan/impact", "plan/compare", "plan/checks", "plan/model"],
    ...["plan/engine", "commandLine", "config", "domain", "io"],
  ],
  commandLine: ["config"],
  cluster: ["commandLine", "config", "domain", "io"],
  azure: ["domain", "io"],
  doctor: ["cluster", "commandLine", "config", "domain", "io"],
  preflight: ["azure", "plan/cli", "plan/model", "commandLine", "config", "domain", "io"],
  workloads: ["cluster", "commandLine", "config", "domain", "io"],
  import: ["plan/cli", "plan/compare", "plan/model", "cluster", "commandLine", "config", "domain", "io"],
  images: ["azure", "commandLine", "config", "domain", "io"],
  access: ["doctor", "cluster", "commandLine", "domain"],
  probe: ["cluster", "commandLine", "config", "domain", "io"],
};

export const layerOf = (path: string): string => {
  const [top = "", folder = ""] = path.split("/");
  return top === "plan" ? `plan/${folder}` : top;
};

/** Imports of values and types, and the modules that are loaded lazily. */
export const importsOf = (layers: readonly string[]): Arrow[] =>
  sourcesOf(layers).flatMap(({ path, text }) => arrowsOf(path, text));

/** The folder of the component that a file belongs to. */
const componentOf = (path: string): string | undefined => /^components\/([^/]+)\//.exec(path)?.[1];

const barrel = "components/index.ts";

/** Why an import is not allowed; `undefined` for one that is. */
export function violation({ from, to }: Arrow): string | undefined {
  const [a, b] = [layerOf(from), layerOf(to)];
  if (a !== b) {
    return (allowed[a] ?? []).includes(b)
      ? undefined
      : `${from} -> ${to}: ${a} may import ${(allowed[a] ?? []).join(", ") || "nothing of the project"}`;
  }
  if (a !== "components" || from === barrel) {
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
    : `${from} -> ${to}: a component imports no other one; what both need belongs into domain/`;
}
