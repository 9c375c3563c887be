import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { RequestOptions } from "node:https";
import { gunzipSync } from "node:zlib";
import { InnerHostError, isInner, outerLookup } from "./innerHosts";
import { withoutLogin } from "./ownLogin";
import { answerTo, requestOf } from "./proxiedRequest";

/**
 * The one way in which the program reads HTTP: one request and its whole answer, with a limit of bytes and of time. Whoever
 * answers can neither fill the memory nor keep a command waiting.
 */

export interface ExchangeOptions {
  readonly method?: string | undefined;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  /** Limit of the answer in bytes, also after gzip, which is unpacked if `headers` accept it. Default: 20 MiB. */
  readonly maxBytes?: number | undefined;
  /** Limit of the whole exchange in milliseconds, headers and body. Default: 60,000. */
  readonly totalMs?: number | undefined;
  /** Limit of the time in which nothing comes, in milliseconds. Default: none but totalMs. */
  readonly idleMs?: number | undefined;
  /** Ends the exchange earlier. */
  readonly signal?: AbortSignal | undefined;
  /** The variables that name a proxy. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Agent and certificates of a connection without a proxy. Default: a connection of its own. */
  readonly connection?: RequestOptions;
  /** For hosts that a text of others names: those that are inner ones and may be asked all the same. Default: all may. */
  readonly innerHosts?: readonly string[] | undefined;
}

export interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The answer is larger than its limit; the message says by which. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** The exchange took longer than its limit. */
export class TooLateError extends Error {
  override readonly name = "TimeoutError";
  readonly code = "ETIMEDOUT";
}

/** @throws InnerHostError for a host that a text of others must not have asked */
function connectionTo(
  url: URL,
  { connection = { agent: false }, innerHosts }: ExchangeOptions,
): RequestOptions {
  if (innerHosts === undefined || innerHosts.includes(url.host)) {
    return connection;
  }
  if (isInner(url)) {
    throw new InnerHostError(`${url.host} is this machine, its link or a private address`);
  }
  return { ...connection, lookup: outerLookup };
}

const sizeOf = (bytes: number): string =>
  bytes >= 2 ** 20 ? `${Math.floor(bytes / 2 ** 20)} MB` : `${bytes} bytes`;

const tooLarge = (maxBytes: number): TooLargeError =>
  new TooLargeError(`the answer has more than ${sizeOf(maxBytes)}`);

function unpacked(body: Buffer, isAsked: boolean, maxBytes: number): Buffer {
  if (!isAsked) {
    throw new Error("the answer is in gzip, for which nobody has asked");
  }
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? tooLarge(maxBytes) : error;
  }
}

/**
 * Sends one request and reads its answer. Redirects are answers like all others.
 * @throws TooLargeError, TooLateError, InnerHostError, the reason of `signal`, or the error of the connection
 */
export async function exchange(url: URL, options: ExchangeOptions = {}): Promise<Exchanged> {
  const { method = "GET", headers = {}, body, maxBytes = 20 * 2 ** 20, totalMs = 60_000, idleMs } = options;
  const { env } = options;
  const connection = connectionTo(url, options);
  const ending = new AbortController();
  const end = (reason: unknown): void => {
    ending.abort(reason);
  };
  const ended = (): void => {
    end(options.signal?.reason);
  };
  options.signal?.throwIfAborted();
  options.signal?.addEventListener("abort", ended, { once: true });
  const timer = setTimeout(() => {
    end(new TooLateError(`no complete answer within ${totalMs / 1000} s`));
  }, totalMs);
  try {
    const { signal } = ending;
    const request = await requestOf(url, env, { ...connection, method, headers, signal });
    if (idleMs !== undefined) {
      request.setTimeout(idleMs, () => {
        end(new TooLateError(`no answer within ${idleMs / 1000} s`));
      });
    }
    const response = await answerTo(request, body);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        response.destroy();
        throw tooLarge(maxBytes);
      }
      chunks.push(chunk);
    }
    if (!response.complete) {
      throw new Error("the connection ended before the answer");
    }
    const received = Buffer.concat(chunks);
    const isPacked = response.headers["content-encoding"] === "gzip" && received.length > 0;
    const whole = isPacked ? unpacked(received, headers["accept-encoding"] === "gzip", maxBytes) : received;
    const status = response.statusCode ?? 0;
    const answered = withoutLogin(whole, status, headers, connection.auth ?? undefined);
    return { status, headers: response.headers, body: answered };
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", ended);
  }
}

const mostRedirects = 5;

/** A redirect that is not followed. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
}

/** What another host may know of a request: no login, whatever its header is called. */
const forStrangers = new Set(["accept", "accept-encoding", "user-agent"]);

/**
 * Follows redirects of GET and HEAD. What another origin gets has no login, and from https none leads to http.
 * @throws RedirectError, and what `exchange` throws
 */
export async function followed(first: URL, options: ExchangeOptions = {}): Promise<Exchanged> {
  const end = Date.now() + (options.totalMs ?? 60_000);
  const { method = "GET" } = options;
  let { headers = {} } = options;
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const totalMs = Math.max(1, end - Date.now());
    const answer = await exchange(url, { ...options, headers, totalMs });
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) {
      return answer;
    }
    if (!["GET", "HEAD"].includes(method)) {
      return answer;
    }
    if (redirects >= mostRedirects) {
      throw new RedirectError(`more than ${mostRedirects} redirects`);
    }
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined || !isFollowed(url, next)) {
      throw new RedirectError(`redirect to ${next?.protocol ?? "no URL"}`);
    }
    if (next.origin !== url.origin) {
      headers = Object.fromEntries(
        Object.entries(headers).filter(([name]) => forStrangers.has(name.toLowerCase())),
      );
    }
    url = next;
  }
}

const isFollowed = (from: URL, to: URL): boolean =>
  to.protocol === "https:" || (to.protocol === "http:" && from.protocol === "http:");
