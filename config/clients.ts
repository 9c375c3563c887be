import { dirname, join, resolve } from "node:path";
import { stackParts } from "capz-windows-platform/cluster/clients";
import { ConfigError } from "capz-windows-kit/problem";
import { textAt } from "capz-windows-kit/untyped";
import { decodeConfig } from "./parse";
import { projectConfig, readStackFile, type StackFile } from "./stackFile";
import { stackOfFile, stacksOf } from "capz-windows-kit/stackNames";

/** The stack files beside the one of a management stack whose `management.stack` names it. */

/** A file that cannot be read refers to nothing: its own plan says what is wrong with it. */
function readIfRight(projectDir: string, stack: string, file: string): StackFile | undefined {
  try {
    return readStackFile(projectDir, stack, file);
  } catch (error) {
    if (error instanceof ConfigError) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The names of the stacks, sorted.
 * @param file - of the management stack: its path, relative to the project folder or absolute
 */
export function clientsBeside(projectDir: string, file: string, stack = stackOfFile(file)): string[] {
  const folder = dirname(file);
  return stacksOf(resolve(projectDir, folder)).filter((other) => {
    const found = readIfRight(projectDir, other, join(folder, `Pulumi.${other}.yaml`));
    const management = found && decodeConfig(projectConfig(found.config)).management;
    const named = stackParts(textAt(management, "stack"));
    return (
      found !== undefined &&
      textAt(management, "kind") === "stack" &&
      named.stack === stack &&
      named.project === found.project
    );
  });
}
