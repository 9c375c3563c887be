import { setTimeout as sleep } from "node:timers/promises";
import { textAt } from "capz-windows-kit/untyped";
import { oneLine } from "capz-windows-kit/visible";

/** Sends a request to the API server of the management cluster. Rejects when there is no answer. */
export type SendRequest = (
  path: string,
  request: { readonly method: string; readonly body?: unknown; readonly contentType?: string },
) => Promise<{ readonly status: number; readonly body: unknown }>;

/** A request was refused; `status` is the one of HTTP. */
export class RequestError extends Error {
  override readonly name = "RequestError";

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(oneLine(message));
  }
}

/** Answers that pass: too many requests, and an API server or a load balancer in trouble. */
const passes = (status: number): boolean => status === 429 || status >= 500;

const attempts = 6;

/**
 * Asks again if there is no answer, or one that passes: every request may be sent twice.
 * @param retryMs - how long to wait before a request is sent again
 * @param allowed - further statuses that are an answer
 * @throws RequestError for an answer from 400 on that is not allowed
 */
export async function askPatiently(
  send: SendRequest,
  retryMs: number,
  path: string,
  request: Parameters<SendRequest>[1],
  allowed: readonly number[],
): ReturnType<SendRequest> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(path, request).catch((error: unknown) => {
      if (attempt === attempts || !isLost(error)) {
        throw error;
      }
      return undefined;
    });
    if (answer !== undefined && (attempt === attempts || !passes(answer.status))) {
      if (answer.status >= 400 && !allowed.includes(answer.status)) {
        throw new RequestError(
          answer.status,
          `${request.method} ${path.replace(/\?.*$/, "")}: ${textAt(answer.body, "message") || answer.status}`,
        );
      }
      return answer;
    }
    await sleep(retryMs);
  }
}

/** Whether a connection was lost. */
const isLost = (error: unknown): boolean =>
  /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)/.test(textAt(error, "code"));
