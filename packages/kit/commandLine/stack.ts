import { relative, resolve } from "node:path";
import { stackOfFile, stacksOf } from "../stackNames";
import { oneLine } from "../visible";
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
