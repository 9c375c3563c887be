import { ClusterKubeconfigError } from "../../tools/clusterKubeconfig";
import { bash, verbatim } from "../../tools/shell";
import { problemOfAnswer, problemOfError } from "../cluster/answers";
import { connectToWrite, KubeconfigError, type KubeconfigSource, type Send } from "../cluster/connect";
import type { Settings } from "../../config/settings";
import { readKubeconfigSecret } from "../cluster/readCluster";
import type { Side } from "../cluster/snapshot";
import { sourceOf } from "../cluster/source";
import { managementKubeconfig, type RunCommand } from "../cluster/stack";
import { unread } from "./unread";

/** The two clusters of a stack, for commands that need exactly one kubeconfig of each. */

/** What a command line names. */
export interface ClusterArguments {
  readonly stack: string;
  readonly kubeconfig?: string | undefined;
  readonly workloadKubeconfig?: string | undefined;
}

export interface ClusterOptions {
  readonly projectDir: string;
  readonly run: RunCommand;
  /** Replaced by tests. */
  readonly connect?: typeof connectToWrite;
}

/** The values for the texts of the doctor. */
const variables = ({ stack }: ClusterArguments, { clusterName, namespace }: Settings) => ({
  ...{ stack, cluster: clusterName, namespace },
});

/** Where the kubeconfig of the management cluster comes from: the command line, otherwise the outputs of the stack or `az`. */
async function managementSource(
  args: ClusterArguments,
  settings: Settings,
  { projectDir, run }: ClusterOptions,
): Promise<KubeconfigSource> {
  if (args.kubeconfig !== undefined) {
    return sourceOf(args.kubeconfig);
  }
  const found = await managementKubeconfig(projectDir, args.stack, settings, run);
  if (typeof found === "object") {
    throw unread("management", found, variables(args, settings));
  }
  return { text: found };
}

/** The same for the workload cluster: the command line, otherwise the Secret that Cluster API keeps. */
async function workloadSource(
  args: ClusterArguments,
  settings: Settings,
  options: ClusterOptions,
): Promise<KubeconfigSource> {
  if (args.workloadKubeconfig !== undefined) {
    return sourceOf(args.workloadKubeconfig);
  }
  const send = await reach("management", args, settings, options);
  const found = await readKubeconfigSecret(
    (path) => send(path, { method: "GET" }),
    settings.clusterName,
    settings.namespace,
  );
  if (typeof found === "string") {
    return { ofCluster: found };
  }
  if (found.what !== "absent") {
    throw unread("management", found, { ...variables(args, settings), asked: found.asked });
  }
  const known = args.kubeconfig === undefined ? "" : bash` --kubeconfig ${args.kubeconfig}`;
  const command = bash`npm run doctor -- ${args.stack}${verbatim(known)}`;
  throw new KubeconfigError(
    `The management cluster has no kubeconfig of ${settings.clusterName}. Run \`${command}\`.`,
  );
}

/**
 * Requests to a cluster that answers, and to which the login is valid.
 * @throws KubeconfigError, UnreadError
 */
export async function reach(
  side: Side,
  args: ClusterArguments,
  settings: Settings,
  options: ClusterOptions,
): Promise<Send> {
  const source = await (side === "management" ? managementSource : workloadSource)(args, settings, options);
  const send = await (options.connect ?? connectToWrite)(source).catch((error: unknown) => {
    throw error instanceof ClusterKubeconfigError
      ? unread(side, problemOfError(error, "cluster"), variables(args, settings))
      : error;
  });
  const problem = await send("/version", { method: "GET" }).then(
    (answer) => (answer.status === 401 ? problemOfAnswer(answer, "cluster") : undefined),
    (error: unknown) => problemOfError(error, "cluster"),
  );
  if (problem !== undefined) {
    throw unread(side, problem, variables(args, settings));
  }
  return send;
}
