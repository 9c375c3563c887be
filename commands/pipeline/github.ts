import { appendFileSync, readFileSync } from "node:fs";
import { at, numberAt, textAt } from "../../tools/untyped";
import { commentLimit } from "../plan/reports/markdown/budget";
import { type Env, PipelineError, type Service, basic, restApi, variable } from "./service";
import { messageOf } from "../../tools/messageOf";

/** https://docs.github.com/en/actions/reference/workflows-and-actions/variables, https://docs.github.com/en/rest */

/** The account that writes comments and issues of workflows. */
const bot = "github-actions[bot]";

/** @throws PipelineError */
function eventOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new PipelineError(
      `${file}, which GITHUB_EVENT_PATH names, has no event of GitHub: ${messageOf(error)}`,
    );
  }
}

export function github(env: Env): Service {
  const repository = env.GITHUB_REPOSITORY ?? "";
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) {
    throw new PipelineError("GITHUB_REPOSITORY must be owner/name.");
  }
  const event = eventOf(
    variable(env, "GITHUB_EVENT_PATH", "Run this in a workflow of GitHub, which sets it."),
  );
  // A run that another one has started writes about that one, and GitHub's event says about which. What the other run has
  // left behind could name any pull request.
  const other = at(event, "workflow_run");
  const server = env.GITHUB_SERVER_URL ?? "https://github.com";
  const token = () => variable(env, "GH_TOKEN", "Add to the step: env: { GH_TOKEN: ${{ github.token }} }");
  const api = () =>
    restApi(`${env.GITHUB_API_URL ?? "https://api.github.com"}/repos/${repository}`, {
      authorization: `Bearer ${token()}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    });
  return {
    name: "GitHub",
    run: textAt(other, "html_url") || `${server}/${repository}/actions/runs/${env.GITHUB_RUN_ID ?? ""}`,
    pullRequest: async () => {
      if (other === undefined) {
        return numberAt(event, "pull_request", "number")?.toString();
      }
      const head = `${textAt(other, "head_repository", "owner", "login")}:${textAt(other, "head_branch")}`;
      const open = await api().list(`/pulls?state=open&per_page=100&head=${encodeURIComponent(head)}`);
      const found = open.find((pull) => textAt(pull, "head", "sha") === textAt(other, "head_sha"));
      return numberAt(found, "number")?.toString();
    },
    labels: async (number) =>
      (await api().list(`/issues/${number}/labels?per_page=100`)).map((label) => textAt(label, "name")),
    comments: async (number) =>
      (await api().list(`/issues/${number}/comments?per_page=100`))
        .filter((comment) => textAt(comment, "user", "login") === bot)
        .map((comment) => ({ id: String(comment.id), text: textAt(comment, "body") })),
    writeComment: (number, own, body) =>
      own === undefined
        ? api().send("POST", `/issues/${number}/comments`, { body })
        : api().send("PATCH", `/issues/comments/${own.id}`, { body }),
    issues: async () =>
      (await api().list(`/issues?state=open&creator=${encodeURIComponent(bot)}&per_page=100`)).map(
        (issue) => ({ id: String(issue.number), text: textAt(issue, "title") }),
      ),
    writeIssue: (own, title, body) =>
      own === undefined
        ? api().send("POST", "/issues", { title, body })
        : api().send(
            "PATCH",
            `/issues/${own.id}`,
            body === undefined ? { state: "closed", state_reason: "completed" } : { body },
          ),
    repository: () => ({
      url: `${server}/${repository}.git`,
      authorization: basic("x-access-token", token()),
      author: [bot, `41898282+${bot}@users.noreply.github.com`],
      maxText: commentLimit,
      requestFrom: async (branch) => {
        const head = encodeURIComponent(`${repository.split("/")[0] ?? ""}:${branch}`);
        return numberAt((await api().list(`/pulls?state=open&head=${head}`))[0], "number")?.toString();
      },
      writeRequest: (own, { branch, title, body }) =>
        own === undefined
          ? api().send("POST", "/pulls", { title, body, head: branch, base: env.GITHUB_REF_NAME ?? "" })
          : api().send("PATCH", `/pulls/${own}`, { body }),
    }),
    summary: (file) => {
      appendFileSync(env.GITHUB_STEP_SUMMARY ?? "/dev/null", readFileSync(file, "utf8"));
    },
  };
}
