import { mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { projectDir } from "./projectDir";

/** The folder of this project's packages, which a copy has itself. */
const packages = join(projectDir, "packages");

/** Gives a copy of the project the installed packages of this one, and its own folders of packages/ as npm links them. */
export function linkModules(copy: string): void {
  const modules = join(copy, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(projectDir, "node_modules"))) {
    const path = join(projectDir, "node_modules", name);
    const own = relative(packages, realpathSync(path));
    symlinkSync(own.startsWith("..") ? path : join("../packages", own), join(modules, name));
  }
}
