import { createRequire } from "node:module";
import { relative, resolve } from "node:path";
import type * as configSizeModule from "../../config/configSize";
import type * as loadModule from "../../config/load";
import type * as clientsModule from "../../config/clients";
import type * as stackFactsModule from "../../config/stackFacts";
import type { StackFacts } from "../../packages/contract";
import { ConfigError, type Problem } from "../../tools/problem";
import type { Settings } from "../../config/settings";
import type * as stackFileModule from "../../config/stackFile";
import { stackOfFile, stacksOf } from "../../config/stackNames";
import { oneLine } from "../../tools/visible";
import { refuse, UsageError } from "./arguments";

interface StackOptions {
  readonly stack: string | undefined;
  readonly configFile: string | undefined;
}

/** Refuses what Pulumi takes for a stack, or a file name, and says its name. */
function plainStack(given: string): string {
  const named = stackOfFile(given);
  const name = named ?? given.split("/").at(-1) ?? "";
  const file = named !== undefined && given.includes("/") ? `, or --config-file ${given}` : "";
  refuse([
    [
      name !== given,
      `${oneLine(given)}: write only the name of the stack, ${oneLine(name)}${oneLine(file)}.`,
    ],
    [
      !/^(?!\.*$)[\w.-]{1,100}$/.test(name),
      `"${oneLine(name, 100)}" is no name of a stack: Pulumi takes letters, digits, ".", "-" and "_" only.`,
    ],
  ]);
  return name;
}

/**
 * The stack that a command line names: as its argument, by --stack, or by the file of --config-file.
 * @throws UsageError when it names two
 */
export function namedStack({ stack, configFile }: StackOptions, args: readonly string[]): string | undefined {
  const [named, ...others] = [...new Set([...args, ...(stack === undefined ? [] : [stack])])].map(plainStack);
  refuse([[others.length > 0, `Name one stack, not both ${named ?? ""} and ${others.join(", ")}.`]]);
  return named ?? (configFile === undefined ? undefined : stackOfFile(configFile));
}

/** More names would hide the message. */
const mostNames = 10;

/**
 * The stack that a command line names or, where it names none, the only one of the folder, which is then said.
 * @throws UsageError when it is not clear which one is meant
 */
export function chosenStack(options: StackOptions, args: readonly string[], projectDir: string): string {
  const named = namedStack(options, args);
  if (named !== undefined) {
    return named;
  }
  const { configFile = "" } = options;
  refuse([
    [
      configFile !== "",
      `--config-file ${configFile}: name the stack as well, because the file is not called Pulumi.NAME.yaml.`,
    ],
  ]);
  const [only, ...others] = stacksOf(projectDir);
  if (only === undefined || others.length > 0) {
    const names = [only ?? "the folder has no Pulumi.NAME.yaml", ...others].slice(0, mostNames);
    const more = others.length < mostNames ? "" : `, and ${others.length + 1 - mostNames} more`;
    throw new UsageError(`Name a stack: ${names.join(", ")}${more}.`);
  }
  process.stderr.write(`stack ${only}, the only one of this folder\n`);
  return only;
}

/** What names the clusters of a command that reads clusters or what was recorded of them. */
interface SourceOptions extends StackOptions {
  readonly kubeconfig: string | undefined;
  readonly cluster: string | undefined;
  readonly namespace: string | undefined;
  readonly from: string | undefined;
}

/**
 * The stack of a command that can do without one; undefined where recorded objects or a kubeconfig with a Cluster are named.
 * @throws UsageError
 */
export function stackOfSource(
  options: SourceOptions,
  args: readonly string[],
  projectDir: string,
): string | undefined {
  const { kubeconfig, cluster, namespace, from } = options;
  const named = namedStack(options, args);
  if (named === undefined && from === undefined && kubeconfig === undefined) {
    return chosenStack(options, args, projectDir);
  }
  refuse([
    [
      named === undefined && from === undefined && cluster === undefined,
      "--kubeconfig without a stack: add --cluster NAME; kubectl get cluster -A lists them.",
    ],
    [
      namespace !== undefined && cluster === undefined && named === undefined,
      "--namespace: add --cluster NAME.",
    ],
  ]);
  return named;
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
