import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import { exchange } from "./exchange";
import { jsonOf } from "./json";

/** Requests to an API server with the login of a kubeconfig. */

/** For one request; a list of 500 objects over a slow connection takes some seconds, and has some MB. */
const limits = { idleMs: 20_000, totalMs: 60_000, maxBytes: 64 * 2 ** 20 };

/** API servers are asked directly, or through the proxy that the kubeconfig of a user names. */
const noProxy = {};

/** A request to an API server. */
export interface ApiRequest {
  readonly method: string;
  readonly accept?: string | undefined;
  readonly body?: unknown;
  /** Default: JSON. */
  readonly contentType?: string | undefined;
  /** Limit of the answer in bytes. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/** An answer with its text, which is not JSON for the log of a pod. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  /** Size of the body. */
  readonly bytes: number;
}

/** @param url - of the server, with the path */
async function askApiServer(config: KubeConfig, url: string, request: ApiRequest): Promise<ApiAnswer> {
  const { method, accept = "application/json", body, contentType = "application/json" } = request;
  const { maxBytes = limits.maxBytes } = request;
  const headers = { Accept: accept, ...(body === undefined ? {} : { "Content-Type": contentType }) };
  // A connection of its own, if the login brings none: a shared one may have been closed by the server just now.
  const connection: RequestOptions = { agent: false };
  await config.applyToHTTPSOptions(connection as Parameters<KubeConfig["applyToHTTPSOptions"]>[0]);
  const answer = await exchange(new URL(url), {
    ...limits,
    ...{ method, connection, env: noProxy, maxBytes },
    // applyToHTTPSOptions may set headers in the form of node-fetch, without our own.
    headers: { ...(connection.headers as Record<string, string>), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = answer.body.toString("utf8");
  const found = jsonOf(answer.body, answer.headers["content-type"]) ?? { message: text.slice(0, 200) };
  return { status: answer.status, body: found, text, bytes: answer.body.length };
}

/** Sends requests to the cluster of a kubeconfig's current context. @param server - its URL */
export const apiServerAt =
  (config: KubeConfig, server: string) =>
  (path: string, request: ApiRequest): Promise<ApiAnswer> =>
    askApiServer(config, `${server.replace(/\/$/, "")}${path}`, request);
