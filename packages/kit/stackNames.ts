import { existsSync, readdirSync } from "node:fs";
import { basename, resolve } from "node:path";

/** The stack that a file is named after: `prod` for `examples/Pulumi.prod.yaml`. A name of dots would be another folder. */
export const stackOfFile = (file: string): string | undefined =>
  /^Pulumi\.(?!\.+ya?ml$)(.+)\.ya?ml$/.exec(basename(file))?.[1];

/** Names of the stacks that have a stack file in a project folder. */
export const stacksOf = (dir: string): string[] =>
  readdirSync(dir)
    .map(stackOfFile)
    .filter((name) => name !== undefined)
    .sort();

/** Files that look like stack files and have a name that Pulumi gives to none. */
export const oddStackFiles = (dir: string): string[] =>
  readdirSync(dir)
    .filter((file) => /^Pulumi\.[^]*\.ya?ml$/.test(file) && !/^[\w.-]{1,100}$/.test(stackOfFile(file) ?? " "))
    .sort();

/**
 * Which stacks a project folder has: all that have a file beside Pulumi.yaml or, where a file is named, those that are
 * asked for when it exists.
 */
export function stacksIn(dir: string, wanted: readonly string[], file?: string): readonly string[] {
  if (file === undefined) {
    return stacksOf(dir);
  }
  return existsSync(resolve(dir, file)) ? wanted : [];
}
