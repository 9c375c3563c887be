import { createRequire } from "node:module";
import { relative, resolve } from "node:path";
import type * as configSizeModule from "../../config/configSize";
import type * as loadModule from "../../config/load";
import type * as managementStackModule from "../../config/managementStack";
import type * as clientsModule from "../../config/clients";
import { ConfigError, type Problem } from "../../tools/problem";
import type { Settings } from "../../config/settings";
import type * as stackFileModule from "../../config/stackFile";
import { stackOfFile } from "../../config/stackNames";
import { type Options, refuse } from "./arguments";

/** The options of commands that reach the clusters of a stack. */
export const clustersOfStack = {
  stack: { type: "string", short: "s" },
  "config-file": { type: "string" },
  kubeconfig: { type: "string" },
  "workload-kubeconfig": { type: "string" },
} satisfies Options;

/** What their help says of these options, all but the stack. */
export const clustersUsage = `  --config-file FILE
                   this stack file instead of the one beside Pulumi.yaml
  --kubeconfig FILE
                   kubeconfig of the management cluster ("default": the one of kubectl)
  --workload-kubeconfig FILE
                   kubeconfig of the workload cluster (default: the one that Cluster API keeps)`;

/**
 * The stack that --stack names or, without it, the file of --config-file.
 * @throws UsageError when --stack has a file or, as Pulumi allows, also an organization and a project
 */
export function stackNamed(stack: string | undefined, configFile: string | undefined): string | undefined {
  const name = stack === undefined ? undefined : (stackOfFile(stack) ?? stack.split("/").at(-1));
  refuse([
    [name !== stack, `--stack ${stack ?? ""}: write only the name of the stack: --stack ${name ?? ""}`],
  ]);
  return name ?? (configFile === undefined ? undefined : stackOfFile(configFile));
}

/** The path of a file, which the user gave relative to the working directory, relative to the project folder. */
export const inProject = (projectDir: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : relative(projectDir, resolve(file));

/** Loads the schema of the stack file on demand: a command with --from or --kubeconfig begins in half the time. */
const load = createRequire(__filename);

/**
 * The settings of a stack, whether it has a workload cluster or not.
 * @param configFile - as the user wrote it; default: the stack's file beside Pulumi.yaml
 * @throws ConfigError when the stack file is missing or wrong
 */
export function settingsOfAnyStack(
  projectDir: string,
  stack: string,
  configFile: string | undefined,
): Settings {
  const { projectConfig, readStackFile } = load("../../config/stackFile") as typeof stackFileModule;
  const { loadSettings } = load("../../config/load") as typeof loadModule;
  const { sizeProblems } = load("../../config/configSize") as typeof configSizeModule;
  const file = readStackFile(projectDir, stack, inProject(projectDir, configFile));
  const tooLarge = sizeProblems(file);
  if (tooLarge.length > 0) {
    throw new ConfigError(file.file, tooLarge);
  }
  return loadSettings(projectConfig(file.config), file.file).settings;
}

/**
 * The settings of a stack with a workload cluster.
 * @throws ConfigError when the stack file is missing or wrong, or the stack makes only a management cluster
 */
export function settingsOfStack(projectDir: string, stack: string, configFile: string | undefined): Settings {
  const settings = settingsOfAnyStack(projectDir, stack, configFile);
  const { isManagementOnly } = load("../../config/managementStack") as typeof managementStackModule;
  if (isManagementOnly(settings)) {
    const file = inProject(projectDir, configFile) ?? `Pulumi.${stack}.yaml`;
    const { clientsBeside } = load("../../config/clients") as typeof clientsModule;
    throw new ConfigError(file, [noWorkload(clientsBeside(projectDir, file))]);
  }
  return settings;
}

const noWorkload = (clients: readonly string[]): Problem => ({
  path: "management.only",
  value: true,
  problem:
    "the stack makes only a management cluster, and this command is about a workload cluster and its nodes",
  allowed: "a stack with a workload cluster",
  write: `--stack ${clients[0] ?? "with a stack whose management.stack names this one"}${clients.length > 1 ? ` # or ${clients.slice(1).join(", ")}` : ""}`,
});
