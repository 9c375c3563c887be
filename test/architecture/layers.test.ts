import { readdirSync } from "node:fs";
import { projectDir } from "../support/stacks";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { arrowsOf, importsOfTree, resolved } from "./imports";
import { allowed, importsOf, layerOf, violation } from "./layers";
import { graphOf, layersSection, rooms, roomOf, withLayersSection } from "./layersDocument";
import { filesBelow, isTestOfPackage, readText, sourcesOf } from "./sources";
// In one suite, because the sources are parsed once.
import "./older.part";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readText(join(folder, "package.json"))) as Manifest;

const arrows = importsOf(Object.keys(allowed));

/** The circles in a graph, as they are found from its first node on. */
function circlesOf(next: ReadonlyMap<string, Iterable<string>>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) {
      circles.push([...trail.slice(trail.indexOf(node)), node].join(" -> "));
      return;
    }
    if (done.has(node)) {
      return;
    }
    for (const target of next.get(node) ?? []) {
      visit(target, [...trail, node]);
    }
    done.add(node);
  };
  for (const node of next.keys()) {
    visit(node, []);
  }
  return circles;
}

it("every import follows the direction of the layers", () => {
  expect(arrows.length).toBeGreaterThan(500);
  expect(arrows.flatMap((arrow) => violation(arrow) ?? [])).toEqual([]);
});

it("no arrow goes up: rooms in their order import only those below", () => {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of arrows.filter((arrow) => layerOf(arrow.from) !== layerOf(arrow.to))) {
    next.set(layerOf(from), (next.get(layerOf(from)) ?? new Set()).add(layerOf(to)));
  }
  expect(circlesOf(next)).toEqual([]);
  const rooms = { a: ["b"], b: ["c"], c: ["b"] };
  expect(circlesOf(new Map(Object.entries(rooms)))).toEqual(["b -> c -> b"]);
});

it.each([
  ["packages/platform/versions", "config/settings"],
  ["addons/catalogue", "older/addons/catalogue"],
  ["config/check", "older/config/flavor"],
  ["commands/import/sources", "older/import/apimodel"],
  ["config/load", "components/args"],
  ["components/machinePool/linuxPool", "config/settings"],
  ["components/machinePool/linuxPool", "program/args"],
  ["components/controlPlane/manifests", "components/machinePool/manifests"],
  ["packages/plan-engine/monitor", "packages/capz-types/index"],
  ["plan/model/nodes", "components/machinePool/manifests"],
  ["plan/compare/lists", "plan/impact/impactRule"],
  ["plan/reports/json", "packages/plan-engine/values"],
  ["index.ts", "config/load"],
  ["commands/preflight/needs", "config/settings"],
  ["packages/kit/readBundledFile", "packages/kit/io/atomic"],
  ["components/childOptions.ts", "components/machinePool/linuxPool.ts"],
  ["components/machinePool/linuxPool.ts", "components/index.ts"],
  ["components/childOptions.ts", "components/index.ts"],
])("an import of %s in the other direction, %s, would be found", (from, to) => {
  expect(violation({ from, to })).toContain(`${from} -> ${to}: `);
});

/** What a file of a package imports that its manifest does not name, and relative paths that leave the package. */
function undeclared(path: string, text: string): string[] {
  const [folder = ""] = /^packages\/[^/]+/.exec(path) ?? [];
  const { name, dependencies, peerDependencies, devDependencies } = manifestOf(folder);
  const forTests = isTestOfPackage(path) ? devDependencies : {};
  const declared = new Set([name, ...Object.keys({ ...dependencies, ...peerDependencies, ...forTests })]);
  return importsOfTree(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022))
    .map(({ from }) => from)
    .filter((from) =>
      from.startsWith(".")
        ? !resolved(path, from).startsWith(`${folder}/`)
        : !isBuiltin(from) && !declared.has(/^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from),
    )
    .map((from) => `${path}: ${from}`);
}

it("a package imports what its manifest names, and neither the root nor files of another package", () => {
  const files = sourcesOf(["packages"]);
  expect(files.length).toBeGreaterThan(200);
  const tests = filesBelow("packages").filter((path) => isTestOfPackage(path) && path.endsWith(".ts"));
  expect(tests.length).toBeGreaterThan(1);
  const all = [...files, ...tests.map((path) => ({ path, text: readText(path) }))];
  expect(all.flatMap(({ path, text }) => undeclared(path, text))).toEqual([]);
});

it.each([
  ["packages/contract/pools.ts", "../kit/present"],
  ["packages/contract/pools.ts", "../../config/load"],
  ["packages/contract/pools.ts", "capz-windows-platform/versions"],
  ["packages/probe/run.ts", "@kubernetes/client-node"],
])("%s may not import %s", (path, from) => {
  expect(undeclared(path, `import "${from}";`)).toEqual([`${path}: ${from}`]);
  expect(undeclared(path, `import "./nodes"; import "node:fs"; import "capz-windows-contract";`)).toEqual([]);
});

it("packages import each other in one direction, and name the version of the root", () => {
  const manifests = readdirSync(join(projectDir, "packages")).map((folder) =>
    manifestOf(`packages/${folder}`),
  );
  const names = manifests.map(({ name }) => name);
  const { version } = manifestOf(".");
  for (const manifest of manifests) {
    expect(manifest.version).toBe(version);
    const ours = Object.entries(manifest.dependencies ?? {}).filter(([name]) => names.includes(name));
    expect(ours.filter(([, wanted]) => wanted !== version)).toEqual([]);
  }
  const next = new Map(manifests.map(({ name, dependencies = {} }) => [name, Object.keys(dependencies)]));
  expect(circlesOf(next)).toEqual([]);
});

it("every folder with sources is a layer", () => {
  const folders = readdirSync(projectDir, { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && !/^(\..*|node_modules|test|scripts|rendered|reports|dist)$/.test(entry.name),
    )
    .flatMap(({ name }) => filesBelow(name).filter((path) => path.endsWith(".ts") && !isTestOfPackage(path)));
  expect([...new Set(folders.map(layerOf))].filter((layer) => !(layer in allowed))).toEqual([]);
});

it.each([
  `import "../../config/load";`,
  `import '../../config/load';`,
  `import { loadSettings } from '../../config/load';`,
  `import type { Settings } from "../../config/load";`,
  `import load = require("../../config/load");`,
  `export * from "../../config/load";`,
  `export type { Settings } from "../../config/load";`,
  `const settings = await import(\`../../config/load\`);`,
  `type Settings = typeof import("../../config/load");`,
  `const path = require.resolve("../../config/load");`,
  `const path = require.resolve("../../config/load", { paths: [] });`,
  `const fetch = createRequire(__filename); fetch("../../config/load");`,
  `createRequire(__filename)("../../config/load");`,
  `loaders.get(\`../../config/load\`);`,
  `/// <reference path="../../config/load.ts" />`,
])("an import is found however it is written: %s", (text) => {
  expect(arrowsOf("components/machinePool/linuxPool.ts", text)).toEqual([
    { from: "components/machinePool/linuxPool.ts", to: "config/load.ts" },
  ]);
});

it.each([
  ["components/machinePool/linuxPool.ts", `import { VirtualNetwork } from "..";`, "components/index.ts"],
  ["components/machinePool/linuxPool.ts", `import { VirtualNetwork } from "../";`, "components/index.ts"],
  ["components/machinePool/linuxPool.ts", `require("../..");`, "index.ts"],
  ["components/childOptions.ts", `import { VirtualNetwork } from ".";`, "components/index.ts"],
  ["components/childOptions.ts", `load("./index");`, "components/index.ts"],
  ["program/args.ts", `import { run } from "../packages/plan-engine";`, "packages/plan-engine/index.ts"],
])("in %s the import of a folder is that of its index: %s", (from, text, to) => {
  const [arrow] = arrowsOf(from, text);
  expect(arrow).toEqual({ from, to });
  expect(violation({ from, to })).toContain(`${from} -> ${to}: `);
});

it.each([`"a.b".split(".");`, `path.startsWith("../");`, `import "node:fs";`, `join("../config", name);`])(
  "no import of the project: %s",
  (text) => {
    expect(arrowsOf("components/childOptions.ts", text)).toEqual([]);
  },
);

it("there are no circular imports", () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of arrows) {
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  expect(circlesOf(next)).toEqual([]);
});

it("the name of an exported type means one thing", () => {
  const meanings = new Map<string, Set<string>>();
  for (const { path, text } of sourcesOf(Object.keys(allowed)).filter(
    (file) => !file.path.includes("/crds/"),
  )) {
    for (const [, name = "", whole = path] of text.matchAll(
      /^export (?:class|interface|type) (\w+)(.*;$)?/gm,
    )) {
      meanings.set(name, (meanings.get(name) ?? new Set()).add(whole));
    }
  }
  expect(meanings.size).toBeGreaterThan(500);
  expect([...meanings].flatMap(([name, { size }]) => (size > 1 ? [name] : []))).toEqual([]);
});

describe("docs/architecture.md", () => {
  it("shows the current imports; if not, run `npm run docs`", () => {
    const section = layersSection();
    expect(readText("docs/architecture.md")).toContain(section);
    expect(withLayersSection(readText("docs/architecture.md"), section)).toBe(
      readText("docs/architecture.md"),
    );
  });

  it("has at most 16 rooms, each layer in one, and no arrow up", () => {
    expect(rooms.length).toBeLessThanOrEqual(16);
    expect(new Set(Object.keys(allowed).map((layer) => roomOf(layer).id)).size).toBe(rooms.length);
    expect(circlesOf(graphOf(arrows))).toEqual([]);
    const order = rooms.map(({ id }) => id);
    const up = [...graphOf(arrows)].flatMap(([from, targets]) =>
      [...targets].filter((to) => order.indexOf(to) < order.indexOf(from)).map((to) => `${from} -> ${to}`),
    );
    expect(up).toEqual([]);
    expect(() => roomOf("attic")).toThrow(
      new Error("test/architecture/layersDocument.ts: say which room has attic"),
    );
  });

  it("draws no arrow that a longer path implies", () => {
    const section = layersSection([
      { from: "program/args.ts", to: "components/a" },
      { from: "components/a.ts", to: "packages/platform/b" },
      { from: "program/args.ts", to: "packages/platform/b" },
      { from: "packages/platform/b.ts", to: "packages/platform/c" },
    ]);
    expect(section.match(/^ {2}\w+ --> \w+$/gm)).toEqual([
      "  program --> components",
      "  components --> packages_platform",
    ]);
  });

  it("must have the markers of the generated part", () => {
    expect(() => withLayersSection("# Architecture\n", "section")).toThrow(
      /^docs\/architecture\.md has no part between ".+" and ".+"$/,
    );
  });
});
