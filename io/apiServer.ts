import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };

/** Requests to an API server with the login of a kubeconfig. */

/** For one request; a list of 500 objects over a slow connection takes some seconds. */
const timeoutMs = 20_000;

/** A request to an API server. */
export interface ApiRequest {
  readonly method: string;
  readonly accept?: string | undefined;
  readonly body?: unknown;
  /** Default: JSON. */
  readonly contentType?: string | undefined;
}

/** An answer with its text, which is not JSON for the log of a pod. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
}

/** @param url - of the server, with the path */
export async function askApiServer(
  config: KubeConfig,
  url: string,
  { method, accept = "application/json", body, contentType = "application/json" }: ApiRequest,
): Promise<ApiAnswer> {
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
