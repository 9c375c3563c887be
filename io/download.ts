import { setTimeout as sleep } from "node:timers/promises";
import { answerTo, requestOf } from "./proxiedRequest";

/** Downloads, through the proxy of the environment. */

export interface DownloadOptions {
  /** Attempts per URL, after network errors and status 408, 429 and 5xx. Default: 3. */
  readonly tries?: number;
  /** Limit of one attempt, headers and body, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Wait before the second attempt in milliseconds; doubles with each further one. Default: 1,000. */
  readonly backoffMs?: number;
  /** Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The largest pinned manifest, of the Tigera operator's CRDs, has 2 MB. */
const mostMegabytes = 20;

const mostRedirects = 5;

/** An answer that another attempt would not change. */
class FinalAnswer extends Error {}

/** The body of one attempt; the status of an answer without one. */
async function attemptOf(
  url: URL,
  env: DownloadOptions["env"],
  signal: AbortSignal,
  redirects = 0,
): Promise<Buffer | number> {
  const response = await answerTo(await requestOf(url, env, { signal, agent: false }));
  const { statusCode = 0, headers } = response;
  if ([301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined) {
    response.destroy();
    const next = new URL(headers.location, url);
    if (redirects >= mostRedirects || !/^https?:$/.test(next.protocol)) {
      throw new FinalAnswer(
        redirects >= mostRedirects ? `more than ${mostRedirects} redirects` : `redirect to ${next.protocol}`,
      );
    }
    return attemptOf(next, env, signal, redirects + 1);
  }
  if (statusCode < 200 || statusCode > 299) {
    response.destroy();
    return statusCode;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostMegabytes * 2 ** 20) {
      response.destroy();
      throw new FinalAnswer(`more than ${mostMegabytes} MB`);
    }
    chunks.push(chunk);
  }
  if (!response.complete) {
    throw new Error("the connection ended before the answer");
  }
  return Buffer.concat(chunks);
}

const reasonOf = (error: unknown, signal: AbortSignal, timeoutMs: number): string => {
  const { message, errors = [] } = error as Error & { readonly errors?: readonly Error[] };
  // A host with several addresses has an error for each, and no message for all of them.
  return signal.aborted
    ? `timeout after ${timeoutMs / 1000} s`
    : message || errors.map((one) => one.message).join(", ");
};

/**
 * The body of a URL's response.
 * @throws Error with the last reason, when no attempt succeeded or the server's answer is final
 */
export async function download(address: string, options: DownloadOptions = {}): Promise<Buffer> {
  const { tries = 3, timeoutMs = 30_000, backoffMs = 1_000, env } = options;
  const url = new URL(address);
  for (let attempt = 1; ; attempt += 1) {
    let reason: string;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const found = await attemptOf(url, env, signal);
      if (typeof found !== "number") {
        return found;
      }
      reason = `HTTP ${found}`;
      if (found < 500 && found !== 408 && found !== 429) {
        throw new FinalAnswer(reason);
      }
    } catch (error) {
      if (error instanceof FinalAnswer) throw error;
      reason = reasonOf(error, signal, timeoutMs);
    }
    if (attempt >= tries) {
      throw new Error(`${reason} (${tries} tries)`);
    }
    await sleep(backoffMs * 2 ** (attempt - 1));
  }
}
