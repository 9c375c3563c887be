import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isRecord } from "capz-windows-kit/untyped";
import { projectDir } from "../support/stacks";

/** What SECURITY.md promises about the code of a pull request. */

const folders = [".github/workflows", "examples/pipelines/github"];
const workflows = folders.flatMap((folder) =>
  readdirSync(join(projectDir, folder)).map((name) => `${folder}/${name}`),
);
const read = (path: string): string => readFileSync(join(projectDir, path), "utf8");
const jobsOf = (path: string) =>
  Object.values((parse(read(path)) as { jobs: Record<string, Record<string, unknown>> }).jobs);

const runsBranches = (path: string): boolean => /^\s{2}pull_request:/m.test(read(path));

it.each(workflows.filter(runsBranches))("%s runs the code of a branch with no right to write", (path) => {
  expect(parse(read(path))).toMatchObject({ permissions: {} });
  const forBranches = jobsOf(path).filter((job) => job.if !== "github.event_name == 'push'");
  for (const { permissions } of forBranches) {
    const rights = Object.entries(isRecord(permissions) ? permissions : { all: "write" });
    // A job for which an environment is asked may have an identity of Azure.
    expect(rights.filter(([name, right]) => right === "write" && name !== "id-token")).toEqual([]);
  }
});

it.each(workflows.filter(runsBranches))("%s gives forks no secret and no identity", (path) => {
  for (const job of jobsOf(path)) {
    const isTrusted =
      job.if === "github.event_name == 'push'" ||
      String(job.if).includes("github.event.pull_request.head.repo.full_name == github.repository");
    const needsTrusted = job.needs !== undefined;
    const text = JSON.stringify(job);
    expect(isTrusted || needsTrusted || !/secrets\.|id-token|environment/.test(text)).toBe(true);
  }
});

it.each(["azure-pipelines.yml", "gitlab-ci.yml"])("the example %s runs nothing for forks", (name) => {
  const text = read(`examples/pipelines/${name}`);
  if (name.startsWith("azure")) {
    const stages = text.match(/- stage: (?:check|preview_)[^]*?jobs:/g) ?? [];
    expect(stages).toHaveLength(2);
    expect(
      stages.filter((stage) => !stage.includes("ne(variables['System.PullRequest.IsFork'], 'True')")),
    ).toEqual([]);
    return;
  }
  const rules = text.match(/- if: \$CI_PIPELINE_SOURCE == "merge_request_event".*/g) ?? [];
  // The first one is that of the whole pipeline.
  expect(
    rules.slice(1).filter((rule) => !rule.includes("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID")),
  ).toEqual([]);
});

it("no page asks for the setting with which Actions may approve pull requests", () => {
  for (const page of ["docs/pipelines.md", "docs/workflows.md"]) {
    expect(read(page)).not.toContain("pull requests by Actions");
  }
  // The pipelines have the settings of the workflows.
  expect(read("docs/pipelines.md")).toContain("(workflows.md#settings-of-the-repository)");
  expect(read("docs/workflows.md")).toContain(
    "Leave GitHub's setting that lets Actions create pull requests switched off",
  );
});

it("the base of a plan is a commit, and the output of a failed script is no list of stacks", () => {
  for (const path of [...workflows, "examples/pipelines/azure-pipelines.yml"]) {
    expect(read(path)).not.toMatch(/--against "HEAD|echo "[^"]*\$\(/);
  }
  expect(workflows.filter((path) => read(path).includes('--against "$base"'))).toHaveLength(2);
});

it.each(workflows.filter((path) => read(path).includes("workflow_run:")))(
  "%s writes comments with the code of the default branch alone",
  (path) => {
    const steps = jobsOf(path).flatMap(
      ({ steps: all }) => all as { uses?: string; run?: string; with?: object }[],
    );
    const checkouts = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(0);
    // Without a ref, it is that of the workflow: the default branch.
    expect(
      checkouts.filter((step) => "ref" in (step.with ?? {}) || "repository" in (step.with ?? {})),
    ).toEqual([]);
    // What came from the change is in variables, which a shell does not read as code.
    expect(steps.flatMap(({ run = "" }) => run.match(/\$\{\{[^}]*\}\}/g) ?? [])).toEqual([]);
  },
);
