import type { ClusterView, ReadProblem, Snapshot } from "./snapshot";
import { problemOfError, type Get } from "./answers";
import { managementKinds, workloadKinds } from "./kinds";
import { readCluster, readKubeconfigSecret } from "./readCluster";
import { withoutSecrets } from "./saved";
import { listBudget } from "capz-windows-kit/io/pages";

/** Reads a snapshot of two live clusters. What cannot be read becomes a problem in it. */

export interface LiveSource {
  readonly cluster: Snapshot["cluster"];
  readonly stack?: string | undefined;
  /** The management cluster, or why there is no connection to it. */
  readonly management: Get | ReadProblem;
  /** The workload cluster. Default: by the kubeconfig that the management cluster has. */
  readonly workload?: Get | undefined;
  /** Connects by the text of a kubeconfig that the management cluster keeps. */
  readonly connect: (kubeconfig: string) => Promise<Get>;
}

const nothing = (problem: ReadProblem): ClusterView => ({ objects: [], problems: [problem] });

async function workloadOf({
  cluster,
  management,
  workload,
  connect,
}: LiveSource): Promise<Get | ReadProblem> {
  if (workload !== undefined) {
    return workload;
  }
  if (typeof management !== "function") {
    return { what: "noKubeconfig", asked: "cluster", message: "its kubeconfig is in the management cluster" };
  }
  const kubeconfig = await readKubeconfigSecret(management, cluster.name, cluster.namespace);
  if (typeof kubeconfig === "object") {
    if (kubeconfig.what === "absent") {
      const missing = `there is no Secret ${cluster.name}-kubeconfig in ${cluster.namespace} yet`;
      return { what: "noKubeconfig", asked: "cluster", message: missing };
    }
    const message = `${kubeconfig.asked} could not be read: ${kubeconfig.message}; --workload-kubeconfig FILE needs no Secret`;
    return { what: "unread", asked: "cluster", message };
  }
  try {
    return await connect(kubeconfig);
  } catch (error) {
    return problemOfError(error, "cluster");
  }
}

export async function readLive(source: LiveSource): Promise<Snapshot> {
  const { cluster, stack, management } = source;
  const budget = listBudget();
  const view = (
    side: Get | ReadProblem,
    kinds: typeof managementKinds,
  ): Promise<ClusterView> | ClusterView =>
    typeof side === "function"
      ? readCluster(side, kinds, cluster.namespace, withoutSecrets, budget)
      : nothing(side);
  const workload = await workloadOf(source);
  const [managementView, workloadView] = await Promise.all([
    view(management, managementKinds),
    view(workload, workloadKinds),
  ]);
  return {
    takenAt: new Date().toISOString(),
    cluster,
    ...(stack === undefined ? {} : { stack }),
    management: managementView,
    workload: workloadView,
  };
}
