import type { RequestOptions } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import { exchange, TooLargeError } from "./exchange";

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
  /** About how many values it has. */
  readonly values: number;
}

/** @param url - of the server, with the path */
async function askApiServer(config: KubeConfig, url: string, request: ApiRequest): Promise<ApiAnswer> {
  const { method, accept = "application/json", body, contentType = "application/json" } = request;
  const { maxBytes = limits.maxBytes } = request;
  const headers = { Accept: accept, ...(body === undefined ? {} : { "Content-Type": contentType }) };
  const connection: RequestOptions = {};
  await config.applyToHTTPSOptions(connection as Parameters<KubeConfig["applyToHTTPSOptions"]>[0]);
  const answer = await exchange(new URL(url), {
    ...limits,
    ...{ method, connection, env: noProxy, maxBytes },
    // applyToHTTPSOptions may set headers in the form of node-fetch, without our own.
    headers: { ...(connection.headers as Record<string, string>), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const values = valuesIn(answer.body);
  const text = answer.body.toString("utf8");
  return { status: answer.status, body: parsed(text), text, bytes: answer.body.length, values };
}

/** Sends requests to the cluster of a kubeconfig's current context. @param server - its URL */
export const apiServerAt =
  (config: KubeConfig, server: string) =>
  (path: string, request: ApiRequest): Promise<ApiAnswer> =>
    askApiServer(config, `${server.replace(/\/$/, "")}${path}`, request);

/** A page of 500 objects has fewer; an answer of many small ones takes twenty times its size. */
const mostValues = 1_000_000;

const [quote, backslash] = [0x22, 0x5c];

/** What is before a value: , [ { */
const beginsValue = (byte: number | undefined): boolean => byte === 0x2c || byte === 0x5b || byte === 0x7b;

/**
 * Those of JSON; not what stands in its texts, as in a ConfigMap.
 * @throws TooLargeError before JSON.parse makes objects of them
 */
function valuesIn(body: Buffer): number {
  let values = 0;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    if (isText && body[at] === backslash) {
      at += 1;
    } else if (body[at] === quote) {
      isText = !isText;
    } else if (!isText && beginsValue(body[at])) {
      values += 1;
    }
  }
  if (values > mostValues) {
    throw new TooLargeError("the answer has more than 1,000,000 values");
  }
  return values;
}

/** The JSON of an answer; proxies and load balancers may answer with HTML, which becomes the message. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 200) };
  }
}
