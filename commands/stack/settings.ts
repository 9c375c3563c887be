import { createRequire } from "node:module";
import type * as configSizeModule from "../../config/configSize";
import type * as loadModule from "../../config/load";
import type * as clientsModule from "../../config/clients";
import type * as stackFactsModule from "../../config/stackFacts";
import type { StackFacts } from "capz-windows-contract";
import { ConfigError, type Problem } from "capz-windows-kit/problem";
import type { Settings } from "../../config/settings";
import type * as stackFileModule from "../../config/stackFile";
import { inProject } from "capz-windows-kit/commandLine/stack";

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

/** What of a stack is the user's own, and not the choice of whoever wrote its files. */
export function ownOfStack(projectDir: string, stack: string, configFile: string | undefined) {
  const { readStackFile } = load("../../config/stackFile") as typeof stackFileModule;
  const { state, secretKeys } = readStackFile(projectDir, stack, inProject(projectDir, configFile));
  return {
    // The variable takes precedence over Pulumi.yaml.
    backend: state?.backend === undefined || (process.env.PULUMI_BACKEND_URL ?? "") !== "",
    managementKubeconfig: secretKeys.includes("capz-windows:managementKubeconfig"),
  };
}

/** What tools know about a stack. @throws ConfigError as settingsOfAnyStack does */
export function factsOfAnyStack(
  projectDir: string,
  stack: string,
  configFile: string | undefined,
): StackFacts {
  const { stackFacts } = load("../../config/stackFacts") as typeof stackFactsModule;
  return stackFacts(settingsOfAnyStack(projectDir, stack, configFile));
}

/**
 * What they know about a stack with a workload cluster.
 * @throws ConfigError when the stack file is missing or wrong, or the stack makes only a management cluster
 */
export function factsOfStack(projectDir: string, stack: string, configFile: string | undefined): StackFacts {
  const facts = factsOfAnyStack(projectDir, stack, configFile);
  if (!facts.hasWorkload) {
    const file = inProject(projectDir, configFile) ?? `Pulumi.${stack}.yaml`;
    const { clientsBeside } = load("../../config/clients") as typeof clientsModule;
    throw new ConfigError(file, [noWorkload(clientsBeside(projectDir, file))]);
  }
  return facts;
}

const noWorkload = (clients: readonly string[]): Problem => ({
  path: "management.only",
  value: true,
  problem:
    "the stack makes only a management cluster, and this command is about a workload cluster and its nodes",
  allowed: "a stack with a workload cluster",
  write: `--stack ${clients[0] ?? "with a stack whose management.stack names this one"}${clients.length > 1 ? ` # or ${clients.slice(1).join(", ")}` : ""}`,
});
