import { answerTo, requestOf } from "./proxiedRequest";
import { proxyFor } from "./proxy";

const mostRedirects = 5;

/** The answer to a request of one URL, with its whole body. */
async function once(url: URL, method: string, headers: Headers, init: RequestInit): Promise<Response> {
  const signal = init.signal ?? new AbortController().signal;
  try {
    const request = await requestOf(url, undefined, {
      ...{ method, signal, agent: false },
      headers: Object.fromEntries(headers),
    });
    const answer = await answerTo(request, typeof init.body === "string" ? init.body : undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    const status = answer.statusCode ?? 0;
    return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(Buffer.concat(chunks)), {
      status,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      ),
    });
  } catch (error) {
    // As `fetch` itself does.
    signal.throwIfAborted();
    throw new TypeError("fetch failed", { cause: error });
  }
}

/**
 * `fetch` through the proxy of the environment: that of Node.js knows no proxy on Node.js 20, and later ones only with
 * NODE_USE_ENV_PROXY. Bodies of requests are texts.
 */
export const proxyFetch: typeof fetch = async (input, init = {}) => {
  let url = new URL(input instanceof Request ? input.url : input);
  if (proxyFor(url) === undefined) {
    return fetch(input, init);
  }
  const headers = new Headers(init.headers);
  const method = init.method ?? "GET";
  for (let redirects = 0; ; redirects += 1) {
    const answer = await once(url, method, headers, init);
    const location = answer.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(answer.status) || method === "POST") {
      return answer;
    }
    const next = new URL(location, url);
    if (redirects >= mostRedirects || !/^https?:$/.test(next.protocol)) {
      throw new TypeError("fetch failed", { cause: new Error(`redirect to ${next.href}`) });
    }
    if (next.origin !== url.origin) {
      headers.delete("authorization");
    }
    url = next;
  }
};
