import { exchange, followed, TooLateError } from "./exchange";

/** Limits of an answer; see exchange.ts. */
export interface FetchLimits {
  readonly maxBytes?: number;
  readonly totalMs?: number;
  readonly innerHosts?: readonly string[];
}

const pairsOf = (headers: Readonly<Record<string, string | readonly string[] | undefined>>) =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );

/**
 * `fetch` with limits, and through the proxy of the environment: that of Node.js has no limits, and knows a proxy only with
 * NODE_USE_ENV_PROXY. Bodies of requests are texts, and a redirect is followed unless it is to be an answer (`redirect: "manual"`).
 */
export async function proxyFetch(
  input: string | URL | Request,
  init: RequestInit & FetchLimits = {},
): Promise<Response> {
  const { maxBytes, totalMs, innerHosts, method = "GET", redirect } = init;
  const ask = redirect === "manual" ? exchange : followed;
  const headers = new Headers(init.headers);
  headers.set("accept-encoding", "gzip");
  try {
    const answer = await ask(new URL(input instanceof Request ? input.url : input), {
      ...{ method, maxBytes, totalMs, innerHosts, signal: init.signal ?? undefined },
      headers: Object.fromEntries(headers),
      body: typeof init.body === "string" ? init.body : undefined,
    });
    // What it says of the body on the wire is not true of this one.
    const others = Object.fromEntries(
      Object.entries(answer.headers).filter(
        ([name]) => !["content-encoding", "content-length"].includes(name),
      ),
    );
    return new Response([204, 205, 304].includes(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: pairsOf(others),
    });
  } catch (error) {
    // As `fetch` itself does.
    init.signal?.throwIfAborted();
    throw error instanceof TooLateError ? error : new TypeError("fetch failed", { cause: error });
  }
}
