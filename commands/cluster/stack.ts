import { spawn } from "node:child_process";
import type { StackFacts } from "../../packages/contract";
import { managementNames } from "../../platform/azure/aks";
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

export const runCommand: RunCommand = (command, args, cwd) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd, timeout: commandMs, stdio: ["ignore", "pipe", "pipe"] });
    const parts = { output: "", error: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (parts.output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (parts.error += text));
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

/** The commands that may print the kubeconfig, in the order in which they are tried. */
function commandsOf(
  stack: string,
  { management, clusterName }: StackClusters,
): (readonly [string, readonly string[]])[] {
  const output = ["stack", "output", "managementKubeconfig", "--show-secrets", "--stack", stack];
  if (management.kind === "existing") {
    return [
      ["pulumi", output],
      ["pulumi", ["config", "get", "managementKubeconfig", "--stack", stack]],
    ];
  }
  if (management.kind === "stack") {
    return [
      ["pulumi", output],
      // If the first deployment failed, the stack has no outputs, but the other one has.
      ["pulumi", [...output.slice(0, -1), management.stack]],
    ];
  }
  const { cluster, resourceGroup } = managementNames(clusterName);
  return [
    ["pulumi", output],
    // If the first deployment failed, the stack has no outputs, but there may be a management cluster.
    ["az", ["aks", "get-credentials", "--resource-group", resourceGroup, "--name", cluster, "--file", "-"]],
  ];
}

/**
 * Answers of Pulumi and the Azure CLI that something does not exist. Any other error means only that they could not be
 * asked: they are not installed, not logged in, or have no network.
 */
const absent =
  /no stack named|does not have output property|configuration key .* not found|ResourceNotFound|ResourceGroupNotFound/;

/** The text of the management cluster's kubeconfig, or why there is none. */
export async function managementKubeconfig(
  projectDir: string,
  stack: string,
  clusters: StackClusters,
  run: RunCommand = runCommand,
): Promise<string | ReadProblem> {
  const errors: string[] = [];
  for (const [command, args] of commandsOf(stack, clusters)) {
    const { ok, output, error } = await run(command, args, projectDir);
    if (ok && output.includes("clusters:")) {
      return output;
    }
    errors.push(`${command} ${args.slice(0, 3).join(" ")}: ${lastLine(error) || "no kubeconfig"}`);
  }
  const message = errors.join("; ");
  return { what: absent.test(message) ? "noKubeconfig" : "notAsked", asked: "cluster", message };
}
