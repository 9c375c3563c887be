import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ClusterKubeconfigError, clusterKubeconfigText } from "capz-windows-kit/clusterKubeconfig";
import { loadKubeconfig, readLoginFiles } from "capz-windows-kit/kubeconfigFiles";
import { FileError, mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import type { KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import { apiServerAt, type ApiRequest } from "capz-windows-kit/io/apiServer";
import { loadOptional } from "capz-windows-kit/io/optionalPackage";
import type { Answer, Get } from "./answers";
import { messageOf } from "capz-windows-kit/messageOf";

/** Connects to API servers by kubeconfigs, with the logins that @kubernetes/client-node supports. */

/**
 * Where a kubeconfig comes from. Those of the user, of the stack and of Azure may log in in every way; "default" is that of
 * kubectl. One that a cluster keeps is read by packages/kit/clusterKubeconfig.ts: whoever wrote it must not run programs here.
 */
export type KubeconfigSource =
  { readonly file: string } | { readonly text: string } | { readonly ofCluster: string } | "default";

/** A kubeconfig cannot be used; the message says which and why. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}

export type { ApiRequest as Request } from "capz-windows-kit/io/apiServer";

/** An answer with its text, which is not JSON for the log of a pod. */
export type Send = (path: string, request: ApiRequest) => Promise<Answer & { readonly text: string }>;

function nameOf(source: KubeconfigSource): string {
  if (source === "default") {
    return "the default kubeconfig";
  }
  return "file" in source ? source.file : "the kubeconfig";
}

/** The files that kubectl reads; as there, those that do not exist are left out. */
const defaultFiles = (): string[] =>
  (process.env.KUBECONFIG ?? "") === ""
    ? [join(homedir(), ".kube/config")].filter((file) => existsSync(file))
    : (process.env.KUBECONFIG ?? "").split(delimiter).filter((file) => file !== "" && existsSync(file));

const loadFile = (config: KubeConfig, file: string): void => {
  loadKubeconfig(config, readBoundedText(file, mostBytes.kubeconfig), dirname(file));
};

/** Loads what kubectl would: the first file that names a current context decides. */
function loadDefault(config: KubeConfig, newConfig: () => KubeConfig): void {
  const [first, ...others] = defaultFiles();
  if (first === undefined) {
    // The login of a pod, or that of WSL.
    config.loadFromDefault();
    return;
  }
  loadFile(config, first);
  for (const file of others) {
    const other = newConfig();
    loadFile(other, file);
    config.mergeConfig(other, Boolean(config.getCurrentContext()));
  }
}

function load(config: KubeConfig, source: KubeconfigSource, newConfig: () => KubeConfig): void {
  if (source === "default") {
    loadDefault(config, newConfig);
  } else if ("ofCluster" in source) {
    config.loadFromString(clusterKubeconfigText(source.ofCluster));
  } else if ("file" in source) {
    loadFile(config, source.file);
  } else {
    loadKubeconfig(config, source.text, ".");
  }
  readLoginFiles(config);
}

/** Of an answer; a dozen lists are read at the same time. 500 Pods have some 10 MB. */
const pageBytes = 32 * 2 ** 20;

/**
 * Prepares requests to the cluster of a kubeconfig that only read; nothing is sent yet.
 * @throws KubeconfigError when the kubeconfig cannot be read or names no cluster, or the package is missing
 * @throws ClusterKubeconfigError when it comes from a cluster and has more than such a one may have
 */
export async function connect(source: KubeconfigSource): Promise<Get> {
  const send = await connectToWrite(source);
  return (path, accept) => send(path, { method: "GET", accept, maxBytes: pageBytes });
}

/**
 * The same for requests that may write.
 * @throws KubeconfigError when the kubeconfig cannot be read or names no cluster, or the package is missing
 */
export async function connectToWrite(source: KubeconfigSource): Promise<Send> {
  // Loaded here, because the package takes half a second and recorded objects do not need it.
  const { KubeConfig: Config } = await loadOptional(
    "@kubernetes/client-node",
    "this command reads kubeconfigs and logs in to clusters",
    () => import("@kubernetes/client-node"),
    (message) => new KubeconfigError(message),
  );
  const config = new Config();
  const where = nameOf(source);
  try {
    load(config, source, () => new Config());
  } catch (error) {
    if (error instanceof ClusterKubeconfigError) {
      throw error;
    }
    throw new KubeconfigError(
      `${error instanceof FileError ? error.file : where} cannot be read: ${messageOf(error)}`,
    );
  }
  const server = config.getCurrentCluster()?.server;
  if (server === undefined || !URL.canParse(server)) {
    throw new KubeconfigError(
      `${where} names no cluster in its current context "${config.getCurrentContext()}".`,
    );
  }
  if (new URL(server).protocol !== "https:" && config.getCurrentCluster()?.skipTLSVerify !== true) {
    throw new KubeconfigError(
      `${where}: the server of its current context has no https address, so that everybody on the way would read the login.`,
    );
  }
  return apiServerAt(config, server);
}
