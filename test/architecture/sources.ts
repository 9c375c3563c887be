import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../support/stacks";

/** Paths of all files below a folder of the project, or the file itself. */
export function filesBelow(path: string): string[] {
  return statSync(join(projectDir, path)).isDirectory()
    ? readdirSync(join(projectDir, path)).flatMap((entry) => filesBelow(join(path, entry)))
    : [path];
}

export const readText = (path: string): string => readFileSync(join(projectDir, path), "utf8");

/** Tests of a package stand beside it; packages/test-kit is what they share. */
export const isTestOfPackage = (path: string): boolean => /^packages\/(?:test-kit|[^/]+\/test)\//.test(path);

/** TypeScript files of folders, by their path from the project folder. */
export const sourcesOf = (folders: readonly string[]): { readonly path: string; readonly text: string }[] =>
  // A folder may lie in another one.
  [...new Set(folders.flatMap(filesBelow))]
    .filter((path) => path.endsWith(".ts") && !isTestOfPackage(path))
    .map((path) => ({ path, text: readText(path) }));
