import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { projectText } from "./projectText";
import type { RunOptions } from "./options";

/** Where a program is, as Pulumi sees it. */
export interface ProgramPlace {
  /** The folder in which it runs. */
  readonly pwd: string;
  /** A file in it; "." leaves the choice to package.json. */
  readonly entry: string;
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A `main` in Pulumi.yaml that is a folder is the folder in which the program runs; a file runs in its folder. */
export function placeOf({ projectDir, main }: Pick<RunOptions, "projectDir" | "main">): ProgramPlace {
  if (main === undefined || main === "") {
    return { pwd: projectDir, entry: "." };
  }
  const path = join(projectDir, main);
  return isFolder(path) ? { pwd: path, entry: "." } : { pwd: dirname(path), entry: basename(path) };
}

const real = (path: string): string[] => {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
};

/** The folders of a project: Node.js names modules by their real path, and the folder, or the files in it, may be links. */
const rootsOf = (projectDir: string): string[] => [
  ...new Set([projectDir, ...real(projectDir), ...real(join(projectDir, "package.json")).map(dirname)]),
];

/**
 * Returns a function that turns a path into one relative to the project, with slashes, if it is a file of the program
 * itself; otherwise `undefined`.
 */
export function ownFiles(projectDir: string): (path: string) => string | undefined {
  const roots = rootsOf(projectDir).map((root) => (root.endsWith(sep) ? root : root + sep));
  const packages = `${sep}node_modules${sep}`;
  return (path) => {
    const root = roots.find((start) => path.startsWith(start));
    const below = root === undefined ? undefined : path.slice(root.length);
    // Most loaded files are of packages.
    return below === undefined || `${sep}${below}`.includes(packages)
      ? undefined
      : below.split(sep).join("/");
  };
}

/** The parts of a package.json that say how a program starts. */
export interface PackageManifest {
  readonly dir: string;
  readonly main?: unknown;
  readonly exports?: unknown;
  readonly type?: unknown;
}

/** The nearest package.json from a folder upwards. */
export function manifestOf(dir: string): PackageManifest | undefined {
  const file = join(dir, "package.json");
  if (existsSync(file)) {
    return { ...(JSON.parse(projectText(file)) as object), dir };
  }
  return dirname(dir) === dir ? undefined : manifestOf(dirname(dir));
}
