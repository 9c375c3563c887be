import { setTimeout as delay } from "node:timers/promises";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { oneLine } from "capz-windows-kit/visible";
import { TooLateError } from "capz-windows-kit/io/exchange";
import { jsonOf, weightOf } from "capz-windows-kit/io/json";
import { allPages, EndlessListError, type ListBudget, listBudget } from "capz-windows-kit/io/pages";
import { proxyFetch } from "capz-windows-kit/io/proxyFetch";

/** A client of Azure Resource Manager's documented REST API that only reads. */

/**
 * Azure gave no usable answer. `status` is the HTTP status, or 0 if there was no answer at all; `code` is Azure's error
 * code, or "Timeout", "Unreachable", "NotAzure", "OtherHost" or "Endless".
 */
export class ArmError extends Error {
  override readonly name = "ArmError";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(oneLine(message));
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

/** What Azure answered, and how long it is. */
interface Sent {
  readonly answer: unknown;
  readonly bytes: number;
}

export class Arm {
  private bearer: Promise<string> | undefined;
  /** Of all lists, of which many are read at the same time. */
  private budget: ListBudget | undefined;

  constructor(private readonly options: ArmOptions) {}

  /** @throws ArmError */
  async get(path: string, version: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return (await this.send(this.urlOf(path, version, query))).answer;
  }

  /** All pages of a list. @throws ArmError */
  async list(
    path: string,
    version: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>[]> {
    this.budget ??= listBudget();
    try {
      return await allPages(async (next) => {
        const { answer, bytes } = await this.send(next === "" ? this.urlOf(path, version, query) : next);
        if (!Array.isArray(at(answer, "value"))) {
          throw notAzure(200);
        }
        const items = list(at(answer, "value"));
        return { items, next: textAt(answer, "nextLink"), bytes, values: weightOf(items) };
      }, this.budget);
    } catch (error) {
      throw error instanceof EndlessListError ? new ArmError(0, "Endless", error.message) : error;
    }
  }

  private get endpoint(): string {
    return this.options.endpoint ?? "https://management.azure.com";
  }

  private urlOf(path: string, version: string, query: Readonly<Record<string, string>>): string {
    const parameters = new URLSearchParams({ "api-version": version, ...query });
    return `${this.endpoint}${path}?${parameters.toString()}`;
  }

  /** Links of pages and IDs of answers may name another host, which gets no token. */
  private async send(url: string): Promise<Sent> {
    if (!URL.canParse(url) || new URL(url).origin !== new URL(this.endpoint).origin) {
      throw new ArmError(200, "OtherHost", "an answer leads to another host");
    }
    const sleep = this.options.sleep ?? ((ms: number) => delay(ms));
    this.bearer ??= this.options.token();
    const token: string = await this.bearer;
    for (let attempt = 1; ; attempt += 1) {
      const { status, headers, answer, bytes } = await this.once(url, token);
      if (status < 300) {
        if (answer === undefined) {
          throw notAzure(status);
        }
        return { answer, bytes };
      }
      const wait = Number(headers.get("retry-after") ?? 2 ** attempt) * 1000;
      // A date in place of seconds, which Azure does not send, is not waited for.
      if (!isRetried(status) || attempt === attempts || !(wait <= longestWaitMs)) {
        const code = textAt(answer, "error", "code");
        if (code === "") {
          throw notAzure(status);
        }
        throw new ArmError(status, code, textAt(answer, "error", "message") || `answer ${status}`);
      }
      await sleep(wait);
    }
  }

  private async once(url: string, token: string) {
    const { timeoutMs = 20_000 } = this.options;
    try {
      const response = await proxyFetch(url, {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        totalMs: timeoutMs,
        // What another host says is not what Azure says.
        redirect: "manual",
      });
      const body = Buffer.from(await response.arrayBuffer());
      return {
        ...{ status: response.status, headers: response.headers, bytes: body.length },
        answer: body.length === 0 ? {} : jsonOf(body, response.headers.get("content-type")),
      };
    } catch (error) {
      const late = error instanceof TooLateError;
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

/** A resource, or whether a name or an address is free. */
const isOfAzure = (one: unknown): boolean =>
  ["id", "name", "properties", "available"].some((key) => at(one, key) !== undefined);

/** https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors, and of the providers. */
const codesOfMissing = [
  "NotFound",
  "ResourceNotFound",
  "ParentResourceNotFound",
  "ResourceGroupNotFound",
  "SubscriptionNotFound",
  "RoleDefinitionDoesNotExist",
  "KeyNotFound",
  "FeatureNotFound",
  "GalleryNotFound",
  "GalleryImageNotFound",
];

/** Whether Azure itself says that there is no such thing: a proxy's 404 says nothing. */
export const saysMissing = (error: unknown): boolean =>
  error instanceof ArmError && error.status === 404 && codesOfMissing.includes(error.code);

/** Whether Azure itself refuses the answer to this login. */
export const saysForbidden = ({ status, code }: ArmError): boolean =>
  (status === 401 || status === 403) && code !== "NotAzure";

/** The answer, which must be a list or about a resource, or `undefined` where Azure says that there is none. @throws ArmError */
export async function orMissing(asked: Promise<unknown>): Promise<unknown> {
  try {
    const found = await asked;
    if (!Array.isArray(found) && !isOfAzure(found)) {
      throw notAzure(200);
    }
    return found;
  } catch (error) {
    if (saysMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

const notAzure = (status: number): ArmError =>
  new ArmError(
    status,
    "NotAzure",
    `the answer is not that of Azure: HTTP ${status} without what was asked for`,
  );
