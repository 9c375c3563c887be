import { spawn } from "node:child_process";
import { resolve } from "node:path";
import type { StackFacts, StackOutputs } from "capz-windows-contract";
import { managementNames } from "capz-windows-platform/azure/aks";
import { ClusterKubeconfigError, clusterKubeconfigText } from "capz-windows-kit/clusterKubeconfig";
import { stackReader } from "capz-windows-kit/commandLine/stackReader";
import { KubeconfigError } from "./connect";
import type { ReadProblem } from "./snapshot";

/** Gets the kubeconfig of a stack's management cluster. */

/** The result of a command; a command that cannot be started has failed. */
interface Ran {
  readonly ok: boolean;
  readonly output: string;
  readonly error: string;
}

export type RunCommand = (command: string, args: readonly string[], cwd: string) => Promise<Ran>;

/** Time limit of a command, because it may wait for a login in a browser that no one sees. */
const commandMs = 60_000;

/** Characters that are read of one. What `az` prints comes from whoever answers for Azure. */
const mostOutput = 10_000_000;

export const runCommand: RunCommand = (command, args, cwd) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, timeout: commandMs, stdio: ["ignore", "pipe", "pipe"] });
    const parts = { output: "", error: "" };
    const read = (part: "output" | "error") => (text: string) => {
      parts[part] += text;
      if (parts[part].length > mostOutput) {
        child.kill();
      }
    };
    child.stdout.setEncoding("utf8").on("data", read("output"));
    child.stderr.setEncoding("utf8").on("data", read("error"));
    child.once("error", (error) => {
      resolve({ ok: false, output: "", error: `${command} cannot be started: ${error.message}` });
    });
    child.once("close", (code) => {
      resolve({ ok: code === 0, ...parts });
    });
  });

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";

/** What finds the clusters of a stack. */
export type StackClusters = Pick<StackFacts, "clusterName" | "namespace" | "management">;

/** A stack, and its files. */
export interface StackPlace {
  readonly projectDir: string;
  readonly stack: string;
  /** As the user wrote it; default: the stack's file beside Pulumi.yaml. */
  readonly configFile?: string | undefined;
}

/** A command that may print the kubeconfig. */
interface Asking {
  readonly words: readonly [string, ...string[]];
  /** Whether the user has written what it prints, and not whoever wrote the files of the project. */
  readonly isOwn: boolean;
}

/** The commands that may print the kubeconfig, in the order in which they are tried. */
function commandsOf(
  { projectDir, stack, configFile }: StackPlace,
  { management, clusterName }: StackClusters,
): readonly Asking[] {
  const own = stackReader.read().ownOfStack(projectDir, stack, configFile);
  const output: keyof StackOutputs = "managementKubeconfig";
  const outputOf = (name: string): Asking => ({
    words: ["pulumi", "stack", "output", output, "--show-secrets", "--stack", name],
    isOwn: own.backend,
  });
  if (management.kind === "existing") {
    const key = ["capz-windows:managementKubeconfig", "--stack", stack];
    const file = configFile === undefined ? [] : ["--config-file", resolve(configFile)];
    return [
      outputOf(stack),
      { words: ["pulumi", "config", "get", ...key, ...file], isOwn: own.managementKubeconfig },
    ];
  }
  if (management.kind === "stack") {
    // If the first deployment failed, the stack has no outputs, but the other one has.
    return [outputOf(stack), outputOf(management.stack)];
  }
  const { cluster, resourceGroup } = managementNames(clusterName);
  const names = ["--resource-group", resourceGroup, "--name", cluster];
  // If the first deployment failed, the stack has no outputs, but there may be a management cluster.
  return [outputOf(stack), { words: ["az", "aks", "get-credentials", ...names, "--file", "-"], isOwn: true }];
}

/** @throws KubeconfigError where a stranger may have written it, and it has more than an address and a login */
function usable(kubeconfig: string, { words, isOwn }: Asking): string {
  try {
    return isOwn ? kubeconfig : clusterKubeconfigText(kubeconfig);
  } catch (error) {
    if (!(error instanceof ClusterKubeconfigError)) {
      throw error;
    }
    throw new KubeconfigError(
      `${words.slice(0, 4).join(" ")} prints what files of the project decide: ${error.message}. If it is yours, write it to a file, and add --kubeconfig FILE.`,
    );
  }
}

/**
 * Answers of Pulumi and the Azure CLI that something does not exist. Any other error means only that they could not be
 * asked: they are not installed, not logged in, or have no network.
 */
const absent =
  /no stack named|does not have output property|configuration key .* not found|ResourceNotFound|ResourceGroupNotFound/;

/**
 * The text of the management cluster's kubeconfig, or why there is none.
 * @throws KubeconfigError where a stranger may have written it, and it has more than an address and a login
 */
export async function managementKubeconfig(
  place: StackPlace,
  clusters: StackClusters,
  run: RunCommand = runCommand,
): Promise<string | ReadProblem> {
  const errors: string[] = [];
  for (const asking of commandsOf(place, clusters)) {
    const [command, ...args] = asking.words;
    const { ok, output, error } = await run(command, args, place.projectDir);
    if (ok && output.includes("clusters:")) {
      return usable(output, asking);
    }
    errors.push(`${command} ${args.slice(0, 3).join(" ")}: ${lastLine(error) || "no kubeconfig"}`);
  }
  const message = errors.join("; ");
  return { what: absent.test(message) ? "noKubeconfig" : "notAsked", asked: "cluster", message };
}
