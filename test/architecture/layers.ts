import { join, normalize } from "node:path";
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
  doctor: ["commandLine", "config", "domain", "io"],
  preflight: ["commandLine", "config", "domain"],
  workloads: ["doctor", "commandLine", "config", "domain", "io"],
  import: ["plan/cli", "plan/model", "doctor", "commandLine", "config", "domain", "io"],
  images: ["preflight", "commandLine", "config", "domain", "io"],
  access: ["doctor", "commandLine", "domain"],
};

export const layerOf = (path: string): string => {
  const [top = "", folder = ""] = path.split("/");
  return top === "plan" ? `plan/${folder}` : top;
};

/** An import, by the paths of both files from the project folder. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Imports of values and types, and the modules that are loaded lazily. */
export const importsOf = (layers: readonly string[]): Arrow[] =>
  sourcesOf(layers).flatMap(({ path, text }) =>
    [...text.matchAll(/(?:\bfrom|\bimport\(|\bload\(|\brequire\()\s*"(\.[^"]+)"/g)].map(
      ([, target = ""]): Arrow => ({ from: path, to: normalize(join(path, "..", target)) }),
    ),
  );
