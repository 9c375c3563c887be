import { join, normalize } from "node:path";
import { sourcesOf } from "./sources";

/**
 * Which layer may import which. A layer is a top-level folder, or a folder of plan/; what is not listed is not allowed.
 * docs/architecture.md has the same matrix as a picture.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
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
  "plan/reports": ["plan/impact", "plan/compare", "plan/model", "domain"],
  "plan/cli": [
    ...["plan/reports", "plan/render", "plan/impact", "plan/compare", "plan/checks", "plan/model"],
    ...["plan/engine", "config", "domain", "io"],
  ],
};

const layerOf = (path: string): string => {
  const [room = "", folder = ""] = path.split("/");
  return room === "plan" ? `plan/${folder}` : room;
};

const componentOf = (path: string): string | undefined => /^components\/([^/]+)\//.exec(path)?.[1];

interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Why an import is not allowed; `undefined` for one that is. */
function violation({ from, to }: Arrow): string | undefined {
  const [a, b] = [layerOf(from), layerOf(to)];
  if (a !== b && !(allowed[a] ?? []).includes(b)) {
    return `${from} -> ${to}: ${a} may import ${(allowed[a] ?? []).join(", ") || "nothing of the project"}`;
  }
  const [own, other] = [componentOf(from), componentOf(to)];
  return own !== undefined && other !== undefined && own !== other
    ? `${from} -> ${to}: a component imports no other one; what both need belongs into domain/`
    : undefined;
}

/** Imports of values and types, and the modules that are loaded lazily. */
const arrows = sourcesOf(Object.keys(allowed)).flatMap(({ path, text }) =>
  [...text.matchAll(/(?:\bfrom|\bimport\(|\bload\(|\brequire\()\s*"(\.[^"]+)"/g)].map(
    ([, target = ""]): Arrow => ({ from: path, to: normalize(join(path, "..", target)) }),
  ),
);

it("every import follows the direction of the layers", () => {
  expect(arrows.length).toBeGreaterThan(500);
  expect(arrows.flatMap((arrow) => violation(arrow) ?? [])).toEqual([]);
});

it.each([
  ["domain/versions", "config/settings"],
  ["config/load", "components/args"],
  ["components/machinePool/linuxPool", "config/settings"],
  ["components/machinePool/linuxPool", "program/args"],
  ["components/controlPlane/manifests", "components/machinePool/manifests"],
  ["plan/engine/monitor", "domain/capi/types"],
  ["plan/model/nodes", "components/machinePool/manifests"],
  ["plan/compare/lists", "plan/impact/impactRule"],
  ["plan/reports/json", "plan/engine/values"],
  ["index.ts", "config/load"],
  ["domain/shippedText", "io/atomic"],
])("an import of %s in the other direction, %s, would be found", (from, to) => {
  expect(violation({ from, to })).toContain(`${from} -> ${to}: `);
});

it("no file imports itself by a way round", () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) {
    const name = from.replace(/\.ts$/, "");
    next.set(name, [...(next.get(name) ?? []), to]);
  }
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      circles.push([...trail.slice(trail.indexOf(file)), file].join(" -> "));
    } else if (!done.has(file)) {
      for (const target of next.get(file) ?? []) {
        visit(target, [...trail, file]);
      }
      done.add(file);
    }
  };
  [...next.keys()].forEach((file) => {
    visit(file, []);
  });
  expect(circles).toEqual([]);
});
