import { allowed, importsOf, layerOf, type Arrow } from "./layers";
import { layersSection, withLayersSection } from "./layersDocument";
import { readText } from "./sources";

const componentOf = (path: string): string | undefined => /^components\/([^/]+)\//.exec(path)?.[1];

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

const arrows = importsOf(Object.keys(allowed));

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

it("there are no circular imports", () => {
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

describe("docs/architecture.md", () => {
  it("shows the current imports; if not, run `npm run docs`", () => {
    const section = layersSection();
    expect(readText("docs/architecture.md")).toContain(section);
    expect(withLayersSection(readText("docs/architecture.md"), section)).toBe(
      readText("docs/architecture.md"),
    );
  });

  it("draws no arrow that a longer path implies, and lists every import", () => {
    const section = layersSection([
      { from: "program/args.ts", to: "components/a" },
      { from: "components/a.ts", to: "domain/b" },
      { from: "program/args.ts", to: "domain/b" },
      { from: "domain/b.ts", to: "domain/c" },
    ]);
    expect(section.match(/^ {2}\w+ --> \w+$/gm)).toEqual([
      "  program --> components",
      "  components --> domain",
    ]);
    expect(section).toMatch(/^\| `program` \| .+ \| `components`, `domain` \|$/m);
    expect(section).toMatch(/^\| `domain` \| .+ \| nothing \|$/m);
  });

  it("must have the markers of the generated part", () => {
    expect(() => withLayersSection("# Architecture\n", "section")).toThrow(
      /^docs\/architecture\.md has no part between ".+" and ".+"$/,
    );
  });
});
