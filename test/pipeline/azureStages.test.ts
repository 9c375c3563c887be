import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectDir } from "../support/stacks";
import { expand } from "./azureTemplate";

/** Which stages a run of Azure Pipelines has, in which order and on which agents. */

interface Stage {
  readonly stage: string;
  readonly dependsOn?: unknown;
  readonly jobs: readonly {
    readonly pool?: unknown;
    readonly environment?: string;
    readonly steps?: unknown;
  }[];
}

const document = parse(readFileSync(join(projectDir, "examples/pipelines/azure-pipelines.yml"), "utf8")) as {
  readonly parameters: readonly { readonly default: unknown }[];
  readonly schedules: readonly { readonly displayName: string }[];
  readonly stages: unknown;
};

const hub = { name: "hub" };
const shared = [
  { name: "management", after: [], pool: hub },
  { name: "team-a", after: ["management"], pool: hub },
  { name: "team.b", after: ["management"], pool: { vmImage: "ubuntu-24.04" } },
];

const stagesOf = (
  run: Readonly<Record<string, string>>,
  stacks: unknown = document.parameters[0]?.default,
): Stage[] =>
  expand(document.stages, {
    parameters: { stacks },
    variables: { "Build.SourceBranch": "refs/heads/main", "Build.CronSchedule.DisplayName": "", ...run },
  }) as Stage[];

it.each([
  [{ "Build.Reason": "PullRequest", "Build.SourceBranch": "refs/pull/7/merge" }, ["check", "preview_dev"]],
  [{ "Build.Reason": "IndividualCI" }, ["preview_dev", "up_dev"]],
  [{ "Build.Reason": "Manual" }, ["preview_dev", "up_dev"]],
  [{ "Build.Reason": "Manual", "Build.SourceBranch": "refs/heads/mine" }, ["preview_dev"]],
  [{ "Build.Reason": "Schedule", "Build.CronSchedule.DisplayName": "drift" }, ["preview_dev"]],
  [{ "Build.Reason": "Schedule", "Build.CronSchedule.DisplayName": "images" }, ["images_dev"]],
])("the run %j has the stages %j", (run, stages) => {
  expect(stagesOf(run).map(({ stage }) => stage)).toEqual(stages);
});

it("both schedules are there", () => {
  expect(document.schedules.map(({ displayName }) => displayName)).toEqual(["drift", "images"]);
});

it("stacks are previewed at once, and deployed after those that they name, each by agents that reach its API servers", () => {
  const stages = stagesOf({ "Build.Reason": "IndividualCI" }, shared);
  expect(
    stages.map(({ stage, dependsOn, jobs }) => [stage, dependsOn, jobs[0]?.pool, jobs[0]?.environment]),
  ).toEqual([
    ["preview_management", [], hub, undefined],
    ["preview_team_a", [], hub, undefined],
    ["preview_team_b", [], { vmImage: "ubuntu-24.04" }, undefined],
    ["up_management", ["preview_management"], hub, "management"],
    ["up_team_a", ["preview_team_a", "up_management"], hub, "team-a"],
    ["up_team_b", ["preview_team_b", "up_management"], { vmImage: "ubuntu-24.04" }, "team.b"],
  ]);
  expect(JSON.stringify(stages)).not.toContain("${{");
});

it("code of a pull request is planned, and newer images are looked for, on hosted agents", () => {
  const [check] = stagesOf({ "Build.Reason": "PullRequest" }, shared);
  const [images] = stagesOf({ "Build.CronSchedule.DisplayName": "images" }, shared);
  expect([check, images].map((stage) => stage?.jobs[0]?.pool)).toEqual([undefined, undefined]);
});
