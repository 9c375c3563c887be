import { ClusterKubeconfigError } from "capz-windows-kit/clusterKubeconfig";
import { bash, verbatim } from "capz-windows-kit/shell";
import { problemOfAnswer, problemOfError } from "./cluster/answers";
import { connectToWrite, KubeconfigError, type KubeconfigSource, type Send } from "./cluster/connect";
import { readKubeconfigSecret } from "./cluster/readCluster";
import type { Side } from "./cluster/snapshot";
import { sourceOf } from "./cluster/source";
import { managementKubeconfig, type RunCommand, type StackClusters } from "./cluster/stack";
import { unread } from "./unread";

/** The two clusters of a stack, for commands that need exactly one kubeconfig of each. */

/** What a command line names. */
export interface ClusterArguments {
  readonly stack: string;
  readonly configFile?: string | undefined;
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
const variables = ({ stack }: ClusterArguments, { clusterName, namespace }: StackClusters) => ({
  ...{ stack, cluster: clusterName, namespace },
});

/** Where the kubeconfig of the management cluster comes from: the command line, otherwise the outputs of the stack or `az`. */
async function managementSource(
  args: ClusterArguments,
  clusters: StackClusters,
  { projectDir, run }: ClusterOptions,
): Promise<KubeconfigSource> {
  if (args.kubeconfig !== undefined) {
    return sourceOf(args.kubeconfig);
  }
  const found = await managementKubeconfig({ projectDir, ...args }, clusters, run);
  if (typeof found === "object") {
    throw unread("management", found, variables(args, clusters));
  }
  return { text: found };
}

/** The same for the workload cluster: the command line, otherwise the Secret that Cluster API keeps. */
async function workloadSource(
  args: ClusterArguments,
  clusters: StackClusters,
  options: ClusterOptions,
): Promise<KubeconfigSource> {
  if (args.workloadKubeconfig !== undefined) {
    return sourceOf(args.workloadKubeconfig);
  }
  const send = await reach("management", args, clusters, options);
  const found = await readKubeconfigSecret(
    (path) => send(path, { method: "GET" }),
    clusters.clusterName,
    clusters.namespace,
  );
  if (typeof found === "string") {
    return { ofCluster: found };
  }
  if (found.what !== "absent") {
    throw unread("management", found, { ...variables(args, clusters), asked: found.asked });
  }
  const known = args.kubeconfig === undefined ? "" : bash` --kubeconfig ${args.kubeconfig}`;
  const command = bash`npm run doctor -- ${args.stack}${verbatim(known)}`;
  throw new KubeconfigError(
    `The management cluster has no kubeconfig of ${clusters.clusterName}. Run \`${command}\`.`,
  );
}

/**
 * Requests to a cluster that answers, and to which the login is valid.
 * @throws KubeconfigError, UnreadError
 */
export async function reach(
  side: Side,
  args: ClusterArguments,
  clusters: StackClusters,
  options: ClusterOptions,
): Promise<Send> {
  const source = await (side === "management" ? managementSource : workloadSource)(args, clusters, options);
  const send = await (options.connect ?? connectToWrite)(source).catch((error: unknown) => {
    throw error instanceof ClusterKubeconfigError
      ? unread(side, problemOfError(error, "cluster"), variables(args, clusters))
      : error;
  });
  const problem = await send("/version", { method: "GET" }).then(
    (answer) => (answer.status === 401 ? problemOfAnswer(answer, "cluster") : undefined),
    (error: unknown) => problemOfError(error, "cluster"),
  );
  if (problem !== undefined) {
    throw unread(side, problem, variables(args, clusters));
  }
  return send;
}
