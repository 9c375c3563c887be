import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { projectDir } from "../support/stacks";

/** The engine is a package by itself: it imports nothing from the project, and the project imports only its index. */

const engine = join("plan", "engine");

const sources = ["config", "components", "plan", "test"].flatMap((dir) =>
  readdirSync(join(projectDir, dir), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.[jt]s$/.test(file))
    .map((file) => join(dir, file)),
);

/** The relative imports of a file, as paths from the project folder; an import of a folder is that of its index. */
const importsOf = (file: string): string[] =>
  [...readFileSync(join(projectDir, file), "utf8").matchAll(/(?:from|require\(|load\() ?"(\.[^"]*)"/g)].map(
    ([, path = ""]) =>
      relative(projectDir, join(projectDir, dirname(file), path.replace(/\/index\.ts$/, ""))),
  );

const isInside = (path: string): boolean => path === engine || path.startsWith(engine + sep);

it("the engine imports nothing of the project", () => {
  const inside = sources.filter(isInside);
  expect(inside.length).toBeGreaterThan(15);
  const wrong = inside.flatMap((file) =>
    importsOf(file)
      .filter((path) => !isInside(path))
      .map((path) => `${file} imports ${path}`),
  );
  expect(wrong).toEqual([]);
});

it("the project imports the engine by its index only", () => {
  const outside = sources.filter((file) => !isInside(file)).map((file) => [file, importsOf(file)] as const);
  expect(outside.filter(([, paths]) => paths.includes(engine)).length).toBeGreaterThan(5);
  const wrong = outside.flatMap(([file, paths]) =>
    paths.filter((path) => isInside(path) && path !== engine).map((path) => `${file} imports ${path}`),
  );
  expect(wrong).toEqual([]);
});
