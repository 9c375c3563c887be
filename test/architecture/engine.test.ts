import { arrowsOf } from "./imports";
import { allowed } from "./layers";
import { filesBelow, isTestOfPackage, readText } from "./sources";

const engine = "packages/plan-engine/";

/** The script that lets Node.js load TypeScript. It runs before that is possible, so what it needs must be JavaScript. */
const loader = { from: "scripts/typescript.js", to: "packages/plan-engine/transpile.js" };

/** The canaries look at its parts one by one; in place of Pulumi, a test speaks its protocol with the plug-in of the components. */
const close = ["test/plan/fixtures/replacements.js", "test/support/componentPlugin.ts"];

it("the engine is a package by itself: the project imports it by its index only", () => {
  const files = [...Object.keys(allowed), "test", "scripts"].flatMap(filesBelow);
  const arrows = files
    .filter((file) => /\.[jt]s$/.test(file) && !file.startsWith(engine))
    .map((file) => [file, readText(file)] as const)
    // Only to save time: no path leads into the engine without its name.
    .filter(([, text]) => text.includes("engine"))
    .flatMap(([file, text]) => arrowsOf(file, text))
    .filter(({ to }) => to.startsWith(engine) && !isTestOfPackage(to));
  expect(arrows.length).toBeGreaterThan(5);
  const inside = arrows.filter(({ from, to }) => !close.includes(from) && to !== `${engine}index.ts`);
  expect(inside).toEqual([loader]);
});
