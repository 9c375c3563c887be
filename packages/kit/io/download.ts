import { setTimeout as sleep } from "node:timers/promises";
import { type ExchangeOptions, followed, RedirectError, TooLargeError, TooLateError } from "./exchange";

/** Downloads, through the proxy of the environment. */

export interface DownloadOptions {
  /** Attempts per URL, after network errors and status 408, 429 and 5xx. Default: 3. */
  readonly tries?: number;
  /** Limit of one attempt, headers and body, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Wait before the second attempt in milliseconds; doubles with each further one. Default: 1,000. */
  readonly backoffMs?: number;
  /** Limit of the body. Default: 20 MiB; the largest pinned manifest, of the Tigera operator's CRDs, has 2 MB. */
  readonly maxBytes?: number;
  /** Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** An answer that another attempt would not change. */
class FinalAnswer extends Error {}

/**
 * The body of one attempt; the status of an answer without one.
 * @throws FinalAnswer
 */
async function attemptOf(url: URL, options: ExchangeOptions): Promise<Buffer | number> {
  try {
    const { status, body } = await followed(url, options);
    return status >= 200 && status <= 299 ? body : status;
  } catch (error) {
    if (error instanceof TooLargeError || error instanceof RedirectError) {
      throw new FinalAnswer(error.message);
    }
    throw error;
  }
}

const reasonOf = (error: unknown, timeoutMs: number): string => {
  const { message, errors = [] } = error as Error & { readonly errors?: readonly Error[] };
  // A host with several addresses has an error for each, and no message for all of them.
  return error instanceof TooLateError
    ? `timeout after ${timeoutMs / 1000} s`
    : message || errors.map((one) => one.message).join(", ");
};

/**
 * The body of a URL's response.
 * @throws Error with the last reason, when no attempt succeeded or the server's answer is final
 */
export async function download(address: string, options: DownloadOptions = {}): Promise<Buffer> {
  const { tries = 3, timeoutMs = 30_000, backoffMs = 1_000, maxBytes = 20 * 2 ** 20, env } = options;
  const url = new URL(address);
  for (let attempt = 1; ; attempt += 1) {
    let reason: string;
    try {
      const found = await attemptOf(url, { env, maxBytes, totalMs: timeoutMs });
      if (typeof found !== "number") {
        return found;
      }
      reason = `HTTP ${found}`;
      if (found < 500 && found !== 408 && found !== 429) {
        throw new FinalAnswer(reason);
      }
    } catch (error) {
      if (error instanceof FinalAnswer) throw error;
      reason = reasonOf(error, timeoutMs);
    }
    if (attempt >= tries) {
      throw new Error(`${reason} (${tries} tries)`);
    }
    await sleep(backoffMs * 2 ** (attempt - 1));
  }
}
