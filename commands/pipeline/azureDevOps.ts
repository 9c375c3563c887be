import { resolve } from "node:path";
import { list, numberAt, textAt } from "../../tools/untyped";
import { type Env, PipelineError, type Service, basic, numberOf, restApi, variable } from "./service";

/**
 * https://learn.microsoft.com/azure/devops/pipelines/build/variables,
 * https://learn.microsoft.com/rest/api/azure/devops/git/pull-request-threads
 */

const version = "api-version=7.1";

/** Azure DevOps has no issues: work items have types and fields that each project chooses. */
export function azureDevOps(env: Env): Service {
  const organization = (env.SYSTEM_COLLECTIONURI ?? "").replace(/\/*$/, "");
  const project = `${organization}/${encodeURIComponent(env.SYSTEM_TEAMPROJECT ?? "")}`;
  const token = () => {
    if (env.BUILD_REPOSITORY_PROVIDER !== "TfsGit") {
      throw new PipelineError(
        `The repository is not in Azure Repos (BUILD_REPOSITORY_PROVIDER is ${JSON.stringify(env.BUILD_REPOSITORY_PROVIDER ?? "")}), and comments and pull requests are written there only. Leave this step out.`,
      );
    }
    const hint = "Add to the step: env: { SYSTEM_ACCESSTOKEN: $(System.AccessToken) }";
    return variable(env, "SYSTEM_ACCESSTOKEN", hint);
  };
  const api = () => restApi(organization, { authorization: `Bearer ${token()}` });
  const repositoryId = encodeURIComponent(env.BUILD_REPOSITORY_ID ?? "");
  const pulls = `/${encodeURIComponent(env.SYSTEM_TEAMPROJECT ?? "")}/_apis/git/repositories/${repositoryId}/pullRequests`;
  const pull = (number: string, rest: string): string => `${pulls}/${number}/${rest}?${version}`;
  return {
    name: "Azure DevOps",
    run: `${project}/_build/results?buildId=${env.BUILD_BUILDID ?? ""}`,
    pullRequest: () => {
      const number = env.SYSTEM_PULLREQUEST_PULLREQUESTID ?? "";
      return Promise.resolve(
        number === "" ? undefined : numberOf("SYSTEM_PULLREQUEST_PULLREQUESTID", number),
      );
    },
    labels: async (number) =>
      list(((await api().get(pull(number, "labels"))) as { value?: unknown }).value).map((label) =>
        textAt(label, "name"),
      ),
    comments: async (number) => {
      const me = textAt(await api().get("/_apis/connectionData"), "authenticatedUser", "id");
      const threads = list(((await api().get(pull(number, "threads"))) as { value?: unknown }).value);
      return threads
        .filter(({ isDeleted }) => isDeleted !== true)
        .flatMap((thread) =>
          list(thread.comments)
            .slice(0, 1)
            .filter((comment) => comment.isDeleted !== true && textAt(comment, "author", "id") === me)
            .map((comment) => ({
              id: `${String(thread.id)}/comments/${String(comment.id)}`,
              text: textAt(comment, "content"),
            })),
        );
    },
    writeComment: (number, own, content) =>
      own === undefined
        ? api().send("POST", pull(number, "threads"), {
            comments: [{ parentCommentId: 0, content, commentType: "text" }],
            // An active thread would have to be resolved before the pull request can be completed.
            status: "closed",
          })
        : api().send("PATCH", pull(number, `threads/${own.id}`), { content }),
    repository: () => ({
      url: env.BUILD_REPOSITORY_URI ?? "",
      authorization: basic("", token()),
      author: ["capz-windows", `noreply@${new URL(organization).hostname}`],
      // "A description for a pull request must not be longer than 4000 characters."
      maxText: 4000,
      requestFrom: async (branch) => {
        const criteria = {
          "searchCriteria.status": "active",
          "searchCriteria.sourceRefName": `refs/heads/${branch}`,
          // A fork can have a branch of the same name.
          "searchCriteria.sourceRepositoryId": env.BUILD_REPOSITORY_ID ?? "",
        };
        const found = await api().get(`${pulls}?${new URLSearchParams(criteria).toString()}&${version}`);
        return numberAt(list((found as { value?: unknown }).value)[0], "pullRequestId")?.toString();
      },
      writeRequest: (own, { branch, title, body }) =>
        own === undefined
          ? api().send("POST", `${pulls}?${version}`, {
              ...{ sourceRefName: `refs/heads/${branch}`, targetRefName: env.BUILD_SOURCEBRANCH ?? "" },
              ...{ title, description: body },
            })
          : api().send("PATCH", `${pulls}/${own}?${version}`, { description: body }),
    }),
    summary: (file) => {
      process.stdout.write(`##vso[task.uploadsummary]${resolve(file)}\n`);
    },
  };
}
