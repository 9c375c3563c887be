import { type Arrow, arrowsOf } from "./imports";
import { allowed } from "./layers";
import { filesBelow, readText } from "./sources";

/** The engine is a package by itself: it imports nothing from the project, and the project imports only its index. */

const engine = "packages/plan-engine/";
const index = `${engine}index.ts`;

/** The script that lets Node.js load TypeScript. It runs before that is possible, so what it needs must be JavaScript. */
const loader: Arrow = { from: "scripts/typescript.js", to: "packages/plan-engine/transpile.js" };

const sources = [...Object.keys(allowed), "test", "scripts"]
  .flatMap(filesBelow)
  .filter((file) => /\.[jt]s$/.test(file));

const isInside = (path: string): boolean => path.startsWith(engine);

/** Imports from outside the engine of anything but its index. */
const pastTheIndex = (arrows: readonly Arrow[]): Arrow[] =>
  arrows.filter(({ from, to }) => !isInside(from) && isInside(to) && to !== index);

/** Imports of the engine that leave it. */
const outOfTheEngine = (arrows: readonly Arrow[]): Arrow[] =>
  arrows.filter(({ from, to }) => isInside(from) && !isInside(to));

it("the engine imports nothing of the project", () => {
  const inside = sources.filter(isInside);
  expect(inside.length).toBeGreaterThan(15);
  expect(outOfTheEngine(inside.flatMap((file) => arrowsOf(file, readText(file))))).toEqual([]);
});

it("the project imports the engine by its index only", () => {
  const arrows = sources
    .filter((file) => !isInside(file))
    .map((file) => [file, readText(file)] as const)
    // Only to save time: no path leads into the engine without its name.
    .filter(([, text]) => text.includes("engine"))
    .flatMap(([file, text]) => arrowsOf(file, text));
  expect(arrows.filter(({ to }) => to === index).length).toBeGreaterThan(5);
  expect(pastTheIndex(arrows)).toEqual([loader]);
});

it.each([
  ["scripts/plan.js", `require("../packages/plan-engine/inProcess");`],
  ["test/plan/a.test.ts", `import { redact } from "../../packages/plan-engine/values";`],
  [
    "commands/plan/model/nodes.ts",
    `const { redact } = await import("../../../packages/plan-engine/values");`,
  ],
])("an import past the index would be found: %s with %s", (file, text) => {
  expect(pastTheIndex(arrowsOf(file, text))).toHaveLength(1);
});

it("an import that leaves the engine would be found", () => {
  expect(
    outOfTheEngine(arrowsOf("packages/plan-engine/record.ts", `load("../../platform/versions");`)),
  ).toHaveLength(1);
});
