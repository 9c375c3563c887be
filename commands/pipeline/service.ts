import { allPages } from "../../io/pages";
import { proxyFetch } from "../../io/proxyFetch";
import { textAt } from "../../tools/untyped";

/** What this program asks of the service whose pipeline runs it. */

/** The service gave no usable answer, or the job lacks what it needs; the message says what to do. */
export class PipelineError extends Error {
  override readonly name = "PipelineError";
}

export type Env = Readonly<Record<string, string | undefined>>;

/** A comment or an issue that this program wrote. */
export interface ServiceEntry {
  readonly id: string;
  /** The text of a comment, the title of an issue. */
  readonly text: string;
}

/** Where a branch is pushed, and the pull requests from it into the branch of this run. */
export interface Repository {
  readonly url: string;
  /** Of every request of git. */
  readonly authorization: string;
  /** The name and the mail address in commits. */
  readonly author: readonly [string, string];
  /** Characters that the text of a pull request may have. */
  readonly maxText: number;
  /** The number of the open pull request from a branch of this repository. */
  readonly requestFrom: (branch: string) => Promise<string | undefined>;
  readonly writeRequest: (
    own: string | undefined,
    request: { readonly branch: string; readonly title: string; readonly body: string },
  ) => Promise<void>;
}

export interface Service {
  readonly name: string;
  /** The page of the run. */
  readonly run: string;
  /** The number of the pull request; `undefined` if this commit no longer has one. */
  readonly pullRequest: () => Promise<string | undefined>;
  readonly labels: (pullRequest: string) => Promise<readonly string[]>;
  /** Own comments only: others can write the same marker, but not as this account. */
  readonly comments: (pullRequest: string) => Promise<readonly ServiceEntry[]>;
  readonly writeComment: (pullRequest: string, own: ServiceEntry | undefined, body: string) => Promise<void>;
  /** Open issues of this account; missing where the service has none that every project can use. */
  readonly issues?: () => Promise<readonly ServiceEntry[]>;
  /** Without a body the issue is closed. */
  readonly writeIssue?: (
    own: ServiceEntry | undefined,
    title: string,
    body: string | undefined,
  ) => Promise<void>;
  /** @throws PipelineError without a token for it */
  readonly repository: () => Repository;
  /** Shows a file with Markdown on the page of the run. */
  readonly summary: (file: string) => void;
}

/** @throws PipelineError when the job has no such variable */
export function variable(env: Env, name: string, hint: string): string {
  const value = env[name] ?? "";
  if (value === "") {
    throw new PipelineError(`The variable ${name} is not set. ${hint}`);
  }
  return value;
}

/** The header of HTTP Basic authentication, as git sends it. */
export const basic = (name: string, token: string): string =>
  `Basic ${Buffer.from(`${name}:${token}`).toString("base64")}`;

/** A number in a URL. @throws PipelineError */
export function numberOf(name: string, value: string): string {
  if (!/^[1-9]\d{0,18}$/.test(value)) {
    throw new PipelineError(`${name} is not a number: ${JSON.stringify(value)}`);
  }
  return value;
}

/** Requests of a REST API with JSON. Tokens are in `headers` only, which no message has. */
export function restApi(base: string, headers: Readonly<Record<string, string>>) {
  const once = async (method: string, url: string, body?: unknown) => {
    const answer = await proxyFetch(url, {
      method,
      headers: { accept: "application/json", "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      totalMs: 60_000,
    });
    const text = await answer.text();
    let data: unknown;
    try {
      data = text === "" ? undefined : JSON.parse(text);
    } catch {
      // A page with a login, for instance, as Azure DevOps answers to a wrong token.
      data = undefined;
    }
    if (!answer.ok || (data === undefined && text !== "")) {
      const said = textAt(data, "message").slice(0, 300) || "the answer is not JSON";
      throw new PipelineError(
        `${method} ${url}: HTTP ${answer.status}, ${said}. Check that the token of this step may do this.`,
      );
    }
    const next = /<([^>]+)>\s*;\s*rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    return { data, next, bytes: text.length };
  };
  return {
    get: async (path: string): Promise<unknown> => (await once("GET", `${base}${path}`)).data,
    send: async (method: string, path: string, body: unknown): Promise<void> => {
      await once(method, `${base}${path}`, body);
    },
    /** All pages of a list. */
    list: async (path: string): Promise<Record<string, unknown>[]> => {
      const isHere = (url: string): boolean =>
        URL.canParse(url) && new URL(url).origin === new URL(base).origin;
      return allPages(async (page) => {
        const url = page === "" ? `${base}${path}` : page;
        const { data, next = "", bytes } = await once("GET", url);
        if (!Array.isArray(data) || (next !== "" && !isHere(next))) {
          throw new PipelineError(`GET ${url}: the answer is not a list of this host.`);
        }
        return { items: data as Record<string, unknown>[], next, bytes };
      });
    },
  };
}
