import { resolve } from "node:path";
import { stackReader } from "capz-windows-kit/commandLine/stackReader";
import type { Snapshot } from "./snapshot";
import type { Get } from "./answers";
import type { KubeconfigSource } from "./connect";
import { readLive } from "./live";
import { readRecorded } from "./recorded";
import { managementKubeconfig, type RunCommand } from "./stack";

/** What a command line names: a stack, clusters by their kubeconfigs, or recorded objects. */
export interface SourceArguments {
  readonly stack?: string | undefined;
  readonly configFile?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly workloadKubeconfig?: string | undefined;
  readonly cluster?: string | undefined;
  readonly namespace?: string | undefined;
  readonly from?: string | undefined;
}

export interface SourceOptions {
  readonly projectDir: string;
  readonly run: RunCommand;
  readonly connect: (source: KubeconfigSource) => Promise<Get>;
}

/** @param file - "default": the kubeconfig of kubectl */
export const sourceOf = (file: string): KubeconfigSource =>
  file === "default" ? "default" : { file: resolve(file) };

function recordedReader({ from = "", cluster, namespace = cluster, stack }: SourceArguments): () => Snapshot {
  const wanted =
    cluster === undefined || namespace === undefined ? {} : { cluster: { name: cluster, namespace } };
  return () => readRecorded(resolve(from), { ...wanted, ...(stack === undefined ? {} : { stack }) });
}

/**
 * Connects to the named clusters once, or finds the recorded objects. Each call of the returned function reads them
 * again.
 * @throws ConfigError, KubeconfigError
 */
export async function snapshotReader(
  args: SourceArguments,
  options: SourceOptions,
): Promise<() => Promise<Snapshot>> {
  const { stack, configFile, kubeconfig, workloadKubeconfig, from } = args;
  if (from !== undefined) {
    const read = recordedReader(args);
    return () => Promise.resolve(read());
  }
  const facts =
    stack === undefined ? undefined : stackReader.read().factsOfStack(options.projectDir, stack, configFile);
  const name = args.cluster ?? facts?.clusterName ?? "";
  const cluster = { name, namespace: args.namespace ?? facts?.namespace ?? name };
  const found =
    kubeconfig !== undefined || facts === undefined || stack === undefined
      ? sourceOf(kubeconfig ?? "default")
      : await managementKubeconfig({ projectDir: options.projectDir, stack, configFile }, facts, options.run);
  const management =
    typeof found === "object" && "what" in found
      ? found
      : await options.connect(typeof found === "string" && found !== "default" ? { text: found } : found);
  const workload =
    workloadKubeconfig === undefined ? undefined : await options.connect(sourceOf(workloadKubeconfig));
  return async () => ({
    ...(await readLive({
      ...{ cluster, stack, management, workload },
      connect: (ofCluster) => options.connect({ ofCluster }),
    })),
    kubeconfig,
  });
}
