import { setTimeout as delay } from "node:timers/promises";
import { at, list, textAt } from "../../tools/untyped";
import { proxyFetch } from "../../io/proxyFetch";

/** A client of Azure Resource Manager's documented REST API that only reads. */

/**
 * Azure gave no usable answer. `status` is the HTTP status, or 0 if there was no answer at all; `code` is Azure's error
 * code, or "Timeout" or "Unreachable".
 */
export class ArmError extends Error {
  override readonly name = "ArmError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface ArmOptions {
  readonly endpoint?: string;
  /** A token for Azure Resource Manager; rejects without a login. */
  readonly token: () => Promise<string>;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly timeoutMs?: number;
}

const attempts = 4;
/** The longest `Retry-After` that is waited for; after a longer one the error is reported at once. */
const longestWaitMs = 30_000;

const isRetried = (status: number): boolean => status === 429 || status >= 500;

export class Arm {
  private bearer: Promise<string> | undefined;

  constructor(private readonly options: ArmOptions) {}

  /** @throws ArmError */
  get(path: string, version: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return this.request("GET", path, version, query);
  }

  /** A POST for queries that need a body; none of them changes anything. @throws ArmError */
  ask(path: string, version: string, body: unknown): Promise<unknown> {
    return this.request("POST", path, version, {}, body);
  }

  /** All pages of a list. @throws ArmError */
  async list(
    path: string,
    version: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    let answer = await this.get(path, version, query);
    for (;;) {
      found.push(...list(at(answer, "value")));
      const next = textAt(answer, "nextLink");
      if (next === "") {
        return found;
      }
      answer = await this.send("GET", next);
    }
  }

  private request(
    method: string,
    path: string,
    version: string,
    query: Readonly<Record<string, string>>,
    body?: unknown,
  ): Promise<unknown> {
    const parameters = new URLSearchParams({ "api-version": version, ...query });
    const endpoint = this.options.endpoint ?? "https://management.azure.com";
    return this.send(method, `${endpoint}${path}?${parameters.toString()}`, body);
  }

  private async send(method: string, url: string, body?: unknown): Promise<unknown> {
    const sleep = this.options.sleep ?? ((ms: number) => delay(ms));
    this.bearer ??= this.options.token();
    const token: string = await this.bearer;
    for (let attempt = 1; ; attempt += 1) {
      const { status, headers, answer } = await this.once(method, url, token, body);
      if (status < 300) {
        return answer;
      }
      const wait = Number(headers.get("retry-after") ?? 2 ** attempt) * 1000;
      if (!isRetried(status) || attempt === attempts || wait > longestWaitMs) {
        const code = textAt(answer, "error", "code") || String(status);
        throw new ArmError(status, code, textAt(answer, "error", "message") || `answer ${status}`);
      }
      await sleep(wait);
    }
  }

  private async once(method: string, url: string, token: string, body?: unknown) {
    const { timeoutMs = 20_000 } = this.options;
    try {
      const response = await proxyFetch(url, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, answer: parsed(text) };
    } catch (error) {
      const late = textAt(error, "name") === "TimeoutError";
      const cause =
        ["code", "message"].map((key) => textAt(error, "cause", key)).find((text) => text !== "") ??
        textAt(error, "message");
      throw new ArmError(
        0,
        late ? "Timeout" : "Unreachable",
        late ? `no answer within ${timeoutMs / 1000} s` : `no connection: ${cause}`,
      );
    }
  }
}

/** The answer, or `undefined` where Azure says that the resource does not exist. */
export async function orMissing(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ArmError && (error.status === 404 || error.code.includes("NotFound"))) {
      return undefined;
    }
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
