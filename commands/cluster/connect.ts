import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { readFileSync } from "node:fs";
import type { KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import { ClusterKubeconfigError, clusterKubeconfigText } from "../../tools/clusterKubeconfig";
import { decodedText } from "../../tools/decodedText";
import { loadOptional } from "../../io/optionalPackage";
import type { Answer, Get } from "./answers";

/** Connects to API servers by kubeconfigs, with the logins that @kubernetes/client-node supports. */

/**
 * Where a kubeconfig comes from. Those of the user, of the stack and of Azure may log in in every way; "default" is that of
 * kubectl. One that a cluster keeps is read by tools/clusterKubeconfig.ts: whoever wrote it must not run programs here.
 */
export type KubeconfigSource =
  { readonly file: string } | { readonly text: string } | { readonly ofCluster: string } | "default";

/** For one request; a list of 500 objects over a slow connection takes some seconds. */
const timeoutMs = 20_000;

/** A kubeconfig cannot be used; the message says which and why. */
export class KubeconfigError extends Error {
  override readonly name = "KubeconfigError";
}

/** A request to an API server other than a plain GET. */
export interface Request {
  readonly method: string;
  readonly accept?: string | undefined;
  readonly body?: unknown;
  /** Default: JSON. */
  readonly contentType?: string | undefined;
}

/** An answer with its text, which is not JSON for the log of a pod. */
export type Send = (path: string, request: Request) => Promise<Answer & { readonly text: string }>;

function nameOf(source: KubeconfigSource): string {
  if (source === "default") {
    return "the default kubeconfig";
  }
  return "file" in source ? source.file : "the kubeconfig";
}

function textOf(source: Exclude<KubeconfigSource, "default">): string {
  if ("ofCluster" in source) {
    return clusterKubeconfigText(source.ofCluster);
  }
  return "file" in source ? decodedText(readFileSync(source.file)) : source.text;
}

/**
 * Prepares requests to the cluster of a kubeconfig that only read; nothing is sent yet.
 * @throws KubeconfigError when the kubeconfig cannot be read or names no cluster, or the package is missing
 * @throws ClusterKubeconfigError when it comes from a cluster and has more than such a one may have
 */
export async function connect(source: KubeconfigSource): Promise<Get> {
  const send = await connectToWrite(source);
  return (path, accept) => send(path, { method: "GET", accept });
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
    if (source === "default") {
      config.loadFromDefault();
    } else {
      config.loadFromString(textOf(source));
    }
  } catch (error) {
    if (error instanceof ClusterKubeconfigError) {
      throw error;
    }
    throw new KubeconfigError(
      `${where} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const server = config.getCurrentCluster()?.server;
  if (server === undefined || !URL.canParse(server)) {
    throw new KubeconfigError(
      `${where} names no cluster in its current context "${config.getCurrentContext()}".`,
    );
  }
  return (path, request) => ask(config, `${server.replace(/\/$/, "")}${path}`, request);
}

async function ask(
  config: KubeConfig,
  url: string,
  { method, accept = "application/json", body, contentType = "application/json" }: Request,
): ReturnType<Send> {
  const { protocol } = new URL(url);
  const headers = { Accept: accept, ...(body === undefined ? {} : { "Content-Type": contentType }) };
  const options: RequestOptions = { method, headers, timeout: timeoutMs };
  await config.applyToHTTPSOptions(options as Parameters<KubeConfig["applyToHTTPSOptions"]>[0]);
  // applyToHTTPSOptions may set headers in the form of node-fetch, without our own.
  options.headers = { ...(options.headers as Record<string, string>), ...headers };
  return new Promise((resolve, reject) => {
    const request = (protocol === "http:" ? httpRequest : httpsRequest)(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        resolve({ status: response.statusCode ?? 0, body: parsed(text), text });
      });
    });
    request.on("timeout", () => {
      request.destroy(
        Object.assign(new Error(`no answer within ${timeoutMs / 1000} s`), { code: "ETIMEDOUT" }),
      );
    });
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The JSON of an answer; proxies and load balancers may answer with HTML, which becomes the message. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}
