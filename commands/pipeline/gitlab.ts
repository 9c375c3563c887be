import { numberAt, textAt } from "../../tools/untyped";
import { commentLimit } from "../plan/reports/markdown/budget";
import { type Env, type Service, basic, numberOf, restApi, variable } from "./service";

/** https://docs.gitlab.com/ci/variables/predefined_variables, https://docs.gitlab.com/api/notes */

const tokenHint =
  "Create a project access token with the scope api and the role Reporter, and store it as a masked CI/CD variable, because the token of a job may not write comments.";

const imagesHint =
  "Create a project access token with the scope api and the role Developer, and store it as a masked and protected CI/CD variable, because the token of a job may not open merge requests.";

export function gitlab(env: Env): Service {
  const project = numberOf("CI_PROJECT_ID", env.CI_MERGE_REQUEST_PROJECT_ID ?? env.CI_PROJECT_ID ?? "");
  const api = (token = variable(env, "GITLAB_TOKEN", tokenHint)) =>
    restApi(env.CI_API_V4_URL ?? "", { "private-token": token });
  const notes = (number: string): string => `/projects/${project}/merge_requests/${number}/notes`;
  const me = async (): Promise<number | undefined> => numberAt(await api().get("/user"), "id");
  return {
    name: "GitLab",
    run: env.CI_PIPELINE_URL ?? "",
    pullRequest: () => {
      const number = env.CI_MERGE_REQUEST_IID ?? "";
      return Promise.resolve(number === "" ? undefined : numberOf("CI_MERGE_REQUEST_IID", number));
    },
    // Those of the variable CI_MERGE_REQUEST_LABELS are of the time when the pipeline began.
    labels: async (number) => {
      const { labels } = (await api().get(`/projects/${project}/merge_requests/${number}`)) as {
        labels?: unknown;
      };
      return Array.isArray(labels) ? labels.map(String) : [];
    },
    comments: async (number) => {
      const own = await me();
      return (await api().list(`${notes(number)}?per_page=100`))
        .filter((note) => numberAt(note, "author", "id") === own)
        .map((note) => ({ id: String(note.id), text: textAt(note, "body") }));
    },
    writeComment: (number, own, body) =>
      own === undefined
        ? api().send("POST", notes(number), { body })
        : api().send("PUT", `${notes(number)}/${own.id}`, { body }),
    issues: async () =>
      (
        await api().list(
          `/projects/${project}/issues?state=opened&scope=all&author_id=${(await me()) ?? 0}&per_page=100`,
        )
      ).map((issue) => ({ id: String(issue.iid), text: textAt(issue, "title") })),
    writeIssue: (own, title, body) =>
      own === undefined
        ? api().send("POST", `/projects/${project}/issues`, { title, description: body })
        : api().send(
            "PUT",
            `/projects/${project}/issues/${own.id}`,
            body === undefined ? { state_event: "close" } : { description: body },
          ),
    repository: () => {
      const token = variable(env, "IMAGES_TOKEN", imagesHint);
      const requests = `/projects/${project}/merge_requests`;
      const source = (branch: string) =>
        `state=opened&source_project_id=${project}&source_branch=${encodeURIComponent(branch)}`;
      return {
        url: `${env.CI_PROJECT_URL ?? ""}.git`,
        authorization: basic("oauth2", token),
        author: ["capz-windows", `noreply@${env.CI_SERVER_HOST ?? ""}`],
        maxText: commentLimit,
        // A fork can have a branch of the same name.
        requestFrom: async (branch) =>
          numberAt(
            (await api(token).list(`${requests}?${source(branch)}&per_page=100`)).find(
              (request) => String(request.source_project_id) === project,
            ),
            "iid",
          )?.toString(),
        writeRequest: (own, { branch, title, body }) =>
          own === undefined
            ? api(token).send("POST", requests, {
                ...{ source_branch: branch, target_branch: env.CI_COMMIT_BRANCH ?? "" },
                ...{ title, description: body, remove_source_branch: true },
              })
            : api(token).send("PUT", `${requests}/${own}`, { description: body }),
      };
    },
    // A job has no separate page; the preview is in its log.
    summary: () => undefined,
  };
}
