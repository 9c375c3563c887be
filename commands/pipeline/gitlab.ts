import { numberAt, textAt } from "../../tools/untyped";
import { type Env, type Service, numberOf, restApi, variable } from "./service";

/** https://docs.gitlab.com/ci/variables/predefined_variables, https://docs.gitlab.com/api/notes */

const tokenHint =
  "Create a project access token with the scope api and the role Reporter, and store it as a masked CI/CD variable, because the token of a job may not write comments.";

export function gitlab(env: Env): Service {
  const project = numberOf("CI_PROJECT_ID", env.CI_MERGE_REQUEST_PROJECT_ID ?? env.CI_PROJECT_ID ?? "");
  const api = () =>
    restApi(env.CI_API_V4_URL ?? "", { "private-token": variable(env, "GITLAB_TOKEN", tokenHint) });
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
    // A job has no page of its own; the preview is in its log.
    summary: () => undefined,
  };
}
