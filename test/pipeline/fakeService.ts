import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../commands/pipeline/cli";
import { reportJson } from "../../commands/plan/reports/json";
import { example, reportOf } from "../plan/reports/comparisons";
import { said } from "../support/said";

/** A server that answers as GitHub, Azure DevOps and GitLab document it, and the variables that a job of each has. */

const dir = mkdtempSync(join(tmpdir(), "capz-windows-pipeline-"));
export const at = (name: string): string => join(dir, name);
export const write = (name: string, content: unknown): string => {
  writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  return at(name);
};
const token = "PLANTED-token";

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

let server: Server;
let base = "";
export const fake = {
  calls: [] as Call[],
  /** Of each request. */
  authorized: [] as boolean[],
  /** Paths that git asked for. */
  pushes: [] as string[],
  /** The queries of GET. */
  queries: [] as string[],
  /** Answers to GET by the path without its query; a list of lists has pages. */
  answers: {} as Record<string, unknown>,
};

const bodyOf = async (stream: AsyncIterable<unknown>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
};

/** Git itself answers about the bare repository DIR/origin, by CGI. */
async function answerGit(request: IncomingMessage, url: URL, body: Buffer, response: ServerResponse) {
  const { PATH } = process.env;
  const child = spawn("git", ["http-backend"], {
    env: {
      ...{ PATH, GIT_PROJECT_ROOT: dir, GIT_HTTP_EXPORT_ALL: "1", REMOTE_USER: "token" },
      ...{ PATH_INFO: url.pathname.replace(/^.*(?=\/(info\/refs|git-receive-pack)$)/, "/origin") },
      ...{ QUERY_STRING: url.search.slice(1), REQUEST_METHOD: request.method },
      ...{ CONTENT_TYPE: request.headers["content-type"], CONTENT_LENGTH: String(body.length) },
    },
  });
  // Git may end before it has read an empty body.
  child.stdin.on("error", () => undefined).end(body);
  const answer = await bodyOf(child.stdout);
  const end = answer.indexOf("\r\n\r\n");
  for (const line of answer.subarray(0, end).toString().split("\r\n")) {
    const [name = "", value = ""] = line.split(": ");
    response.setHeader(name, value);
  }
  response.end(answer.subarray(end + 4));
}

const authorizedBy = ({ authorization = "", ...headers }: IncomingMessage["headers"]): boolean =>
  (authorization.startsWith("Basic ")
    ? Buffer.from(authorization.slice(6), "base64").toString()
    : [authorization, headers["private-token"]].join("")
  ).endsWith(token);

beforeAll(async () => {
  server = createServer((request, response) => {
    void bodyOf(request).then((sent) => {
      const { method = "", url = "", headers } = request;
      const parsed = new URL(url, base);
      const { pathname, searchParams } = parsed;
      fake.authorized.push(authorizedBy(headers));
      if (/\/(info\/refs|git-receive-pack)$/.test(pathname)) {
        fake.pushes.push(pathname);
        response.statusCode = fake.authorized.at(-1) === true ? 200 : 403;
        return answerGit(request, parsed, sent, response);
      }
      if (method !== "GET") {
        fake.calls.push({ method, path: url, body: JSON.parse(sent.toString()) });
      }
      fake.queries.push(decodeURIComponent(parsed.search));
      const answer = method === "GET" ? fake.answers[pathname] : {};
      const page = Number(searchParams.get("page") ?? 1);
      const pages = Array.isArray(answer) && answer.every(Array.isArray) ? answer : undefined;
      if (pages !== undefined && page < pages.length) {
        response.setHeader("link", `<${base}${pathname}?page=${page + 1}>; rel="next", <x>; rel="last"`);
      }
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(
        JSON.stringify(answer === undefined ? { message: "Not Found" } : (pages?.[page - 1] ?? answer)),
      );
      return undefined;
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  Object.assign(fake, { calls: [], authorized: [], pushes: [], queries: [], answers: {} });
});

afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

export async function pipeline(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, out, err } = await said(() => run(args, env));
  // Nothing that is printed or sent as data has the token.
  expect(out + err + JSON.stringify(fake.calls)).not.toContain(token);
  return { code, out: (out + err).replaceAll(base, "SERVER").replaceAll(dir, "DIR") };
}

export const plan = (stacks = 1): string =>
  write("plan.json", reportJson(Array.from({ length: stacks }, () => reportOf(example)).flat()));
const operations = [{ op: "update", urn: "urn:pulumi:dev::p::t::@octocat", paths: [] }];
export const preview = (result: string): string =>
  write("dev.json", { stack: "dev", result, operations, text: "Previewing" });

const event = (content: unknown): string => write("event.json", content);
export const serverUrl = (): string => base;
export const ofGitHub = (content: unknown = { pull_request: { number: 7 } }) => ({
  ...{ GITHUB_ACTIONS: "true", GITHUB_API_URL: base, GITHUB_REPOSITORY: "owner/repository", GH_TOKEN: token },
  ...{ GITHUB_EVENT_PATH: event(content), GITHUB_RUN_ID: "1", GITHUB_SERVER_URL: "https://github.example" },
});
export const ofAzure = () => ({
  ...{
    TF_BUILD: "True",
    SYSTEM_COLLECTIONURI: `${base}/org/`,
    SYSTEM_TEAMPROJECT: "My Team",
    BUILD_BUILDID: "5",
  },
  ...{
    BUILD_REPOSITORY_ID: "r1",
    BUILD_REPOSITORY_PROVIDER: "TfsGit",
    SYSTEM_PULLREQUEST_PULLREQUESTID: "7",
  },
  SYSTEM_ACCESSTOKEN: token,
});
export const ofGitLab = () => ({
  ...{ GITLAB_CI: "true", CI_API_V4_URL: `${base}/api/v4`, CI_PROJECT_ID: "3", CI_MERGE_REQUEST_IID: "7" },
  ...{ CI_PIPELINE_URL: "https://gitlab.example/run/1", GITLAB_TOKEN: token },
});

const marker = "<!-- capz-windows: plan -->";
const startsWith = (text: string) => expect.stringMatching(new RegExp(`^${text}\n`)) as string;
const sent = (method: string, path: string) => ({ method, path, body: { body: startsWith(marker) } });
export const pullOfAzure = "/org/My%20Team/_apis/git/repositories/r1/pullRequests/7";
const thread = (id: number, author: string, content: string, more: object = {}) => ({
  ...{ id, ...more },
  comments: [{ id: 1, author: { id: author }, content }],
});

/** What each service has, and what is then sent: other accounts have written the same marker, and own comments are of other kinds. */
export const services = {
  github: {
    env: ofGitHub,
    has: (own: readonly object[]) => ({
      "/repos/owner/repository/issues/7/comments": [
        [
          { id: 1, user: { login: "somebody" }, body: `${marker}\nmine` },
          { id: 2, user: { login: "github-actions[bot]" }, body: "<!-- capz-windows: preview dev -->" },
        ],
        own,
      ],
    }),
    own: [{ id: 3, user: { login: "github-actions[bot]" }, body: `${marker}\nold` }],
    made: sent("POST", "/repos/owner/repository/issues/7/comments"),
    updated: sent("PATCH", "/repos/owner/repository/issues/comments/3"),
    run: "https://github.example/owner/repository/actions/runs/1",
  },
  "azure-devops": {
    env: ofAzure,
    has: (own: readonly object[]) => ({
      "/org/_apis/connectionData": { authenticatedUser: { id: "me" } },
      [`${pullOfAzure}/threads`]: {
        value: [
          thread(1, "somebody", `${marker}\nmine`),
          thread(2, "me", "<!-- capz-windows: preview dev -->"),
          thread(4, "me", `${marker}\ndeleted`, { isDeleted: true }),
          { id: 5, comments: [] },
          ...own,
        ],
      },
    }),
    own: [thread(3, "me", `${marker}\nold`)],
    made: {
      ...{ method: "POST", path: `${pullOfAzure}/threads?api-version=7.1` },
      body: {
        comments: [{ parentCommentId: 0, content: startsWith(marker), commentType: "text" }],
        status: "closed",
      },
    },
    updated: {
      ...{ method: "PATCH", path: `${pullOfAzure}/threads/3/comments/1?api-version=7.1` },
      body: { content: startsWith(marker) },
    },
    run: "SERVER/org/My%20Team/_build/results?buildId=5",
  },
  gitlab: {
    env: ofGitLab,
    has: (own: readonly object[]) => ({
      "/api/v4/user": { id: 9 },
      "/api/v4/projects/3/merge_requests/7/notes": [
        [
          { id: 1, author: { id: 8 }, body: `${marker}\nmine` },
          { id: 2, author: { id: 9 }, body: "<!-- capz-windows: preview dev -->" },
        ],
        own,
      ],
    }),
    own: [{ id: 3, author: { id: 9 }, body: `${marker}\nold` }],
    made: sent("POST", "/api/v4/projects/3/merge_requests/7/notes"),
    updated: sent("PUT", "/api/v4/projects/3/merge_requests/7/notes/3"),
    run: "https://gitlab.example/run/1",
  },
};

/** What was sent, as one text. */
export const sentText = (): string => JSON.stringify(fake.calls).replaceAll(base, "SERVER");
