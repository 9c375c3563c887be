import { connect, KubeconfigError, type KubeconfigSource } from "./connect";
import type { Settings } from "../../config/settings";
import { readKubeconfigSecret } from "./readCluster";
import { sourceOf } from "./source";
import { managementKubeconfig, type Run } from "./stack";

/** The two clusters of a stack, for commands that need exactly one kubeconfig of each. */

/** What a command line names. */
export interface ClusterArguments {
  readonly stack: string;
  readonly kubeconfig?: string | undefined;
  readonly workloadKubeconfig?: string | undefined;
}

export interface ClusterOptions {
  readonly projectDir: string;
  readonly run: Run;
}

/**
 * Where the kubeconfig of the management cluster comes from: the command line, otherwise the outputs of the stack or `az`.
 * @throws KubeconfigError
 */
export async function managementSource(
  { stack, kubeconfig }: ClusterArguments,
  settings: Settings,
  { projectDir, run }: ClusterOptions,
): Promise<KubeconfigSource> {
  if (kubeconfig !== undefined) {
    return sourceOf(kubeconfig);
  }
  const found = await managementKubeconfig(projectDir, stack, settings, run);
  if (typeof found === "object") {
    throw new KubeconfigError(`No kubeconfig of the management cluster: ${found.message}`);
  }
  return { text: found };
}

/**
 * The same for the workload cluster: the command line, otherwise the Secret that Cluster API keeps.
 * @throws KubeconfigError
 */
export async function workloadSource(
  args: ClusterArguments,
  settings: Settings,
  options: ClusterOptions,
): Promise<KubeconfigSource> {
  if (args.workloadKubeconfig !== undefined) {
    return sourceOf(args.workloadKubeconfig);
  }
  const get = await connect(await managementSource(args, settings, options));
  const text = await readKubeconfigSecret(get, settings.clusterName, settings.namespace);
  if (text === undefined) {
    throw new KubeconfigError(
      `The management cluster has no kubeconfig of ${settings.clusterName}. Run \`npm run doctor -- --stack ${args.stack}\`.`,
    );
  }
  return { text };
}
