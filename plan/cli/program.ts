import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { textAt } from "capz-windows-kit/untyped";

/** The program of a project folder: that of a clone, or the package that the project installs. */

export const packageName = "capz-windows";

const script = (project: string): string => join(project, "scripts/plan.js");

/** Whether the folder has the program itself, as a clone of its repository has. */
export const isClone = (project: string): boolean => existsSync(script(project));

const manifestOf = (project: string): unknown => {
  const file = join(project, "package.json");
  return existsSync(file) ? JSON.parse(readBoundedText(file, mostBytes.small)) : undefined;
};

/** Whether the project installs the package. */
export const installsPackage = (project: string): boolean =>
  textAt(manifestOf(project), "dependencies", packageName) !== "";

/** What Node.js runs to plan with a package in a folder's node_modules. */
export const plannerIn = (folder: string): readonly string[] => [
  join(folder, "node_modules", packageName, "commands/package/bin.js"),
  "plan",
];

/** The plan of a project: the script of a clone, or the command of the package that the project installs. */
export function plannerOf(project: string): readonly string[] | undefined {
  if (isClone(project)) {
    return [script(project)];
  }
  return installsPackage(project) ? plannerIn(project) : undefined;
}

/** The version of the package that is installed for a folder, perhaps in one above it; empty if there is none. */
function installedVersion(folder: string): string {
  const file = join(folder, "node_modules", packageName, "package.json");
  if (existsSync(file)) {
    return textAt(JSON.parse(readBoundedText(file, mostBytes.small)), "version");
  }
  return dirname(folder) === folder ? "" : installedVersion(dirname(folder));
}

/** The version of the program: that of the package where the project installs it, otherwise the folder's. */
export const programVersion = (project: string): string =>
  installsPackage(project) ? installedVersion(project) : textAt(manifestOf(project), "version");
