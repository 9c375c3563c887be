import { chmodSync, readFileSync } from "node:fs";
import { at, fake, ofAzure, ofGitHub, ofGitLab, pipeline, preview, write } from "./fakeService";

/** Issues about drift, what is refused, and the summary of a preview. */

describe("the issue about drift", () => {
  const issues = "/repos/owner/repository/issues";
  const ofGitLabIssues = "/api/v4/projects/3/issues";
  const title = "Drift in stack dev";
  const other = { number: 8, iid: 8, title: "Drift in stack prod" };
  const own = { number: 9, iid: 9, title };
  const body = expect.stringContaining("- **update** `@octocat` `t`") as string;

  it.each([
    ["github", ofGitHub, issues, { body: { title, body }, path: issues, method: "POST" }, "changes", [other]],
    [
      "github",
      ofGitHub,
      issues,
      { body: { body }, path: `${issues}/9`, method: "PATCH" },
      "changes",
      [other, own],
    ],
    [
      ...(["github", ofGitHub, issues] as const),
      { body: { state: "closed", state_reason: "completed" }, path: `${issues}/9`, method: "PATCH" },
      ...(["unchanged", [own]] as const),
    ],
    [
      ...(["gitlab", ofGitLab, ofGitLabIssues] as const),
      { body: { title, description: body }, path: ofGitLabIssues, method: "POST" },
      ...(["changes", [other]] as const),
    ],
    [
      ...(["gitlab", ofGitLab, ofGitLabIssues] as const),
      { body: { description: body }, path: `${ofGitLabIssues}/9`, method: "PUT" },
      ...(["changes", [own]] as const),
    ],
    [
      ...(["gitlab", ofGitLab, ofGitLabIssues] as const),
      { body: { state_event: "close" }, path: `${ofGitLabIssues}/9`, method: "PUT" },
      ...(["unchanged", [own]] as const),
    ],
  ])("in %s is opened, updated and closed", async (_, env, path, sent, result, open) => {
    fake.answers = { [path]: open, "/api/v4/user": { id: 9 } };
    expect(await pipeline(["drift", preview(result)], env())).toMatchObject({ code: 0 });
    expect(fake.calls).toEqual([sent]);
  });

  it.each([
    [ofGitHub, "unchanged", ""],
    [ofGitHub, "failed", "No preview of dev; the issue stays as it is.\n"],
    [ofAzure, "changes", "Azure DevOps has no issues; a run that finds drift fails.\n"],
  ])("stays away otherwise: %o %s", async (env, result, out) => {
    fake.answers = { [issues]: [] };
    expect(await pipeline(["drift", preview(result)], env())).toEqual({ code: 0, out });
    expect(fake.calls).toEqual([]);
  });
});

it.each<[string[], () => Readonly<Record<string, string>>, string, number]>([
  [
    ["comment", "plan", "FILE"],
    () => ({}),
    "This runs in a job of GitHub Actions, Azure Pipelines or GitLab CI/CD, but GITHUB_ACTIONS, TF_BUILD and GITLAB_CI are not set.\n",
    1,
  ],
  [
    ["label", "a"],
    () => ({ ...ofGitHub(), GH_TOKEN: "" }),
    "The variable GH_TOKEN is not set. Add to the step: env: { GH_TOKEN: ${{ github.token }} }\n",
    1,
  ],
  [
    ["label", "a"],
    () => ({ ...ofAzure(), SYSTEM_ACCESSTOKEN: "" }),
    "The variable SYSTEM_ACCESSTOKEN is not set. Add to the step: env: { SYSTEM_ACCESSTOKEN: $(System.AccessToken) }\n",
    1,
  ],
  [
    ["label", "a"],
    () => ({ ...ofAzure(), BUILD_REPOSITORY_PROVIDER: "GitHub" }),
    'The repository is not in Azure Repos (BUILD_REPOSITORY_PROVIDER is "GitHub"), and comments and pull requests are written there only. Leave this step out.\n',
    1,
  ],
  [
    ["label", "a"],
    () => ({ ...ofGitLab(), GITLAB_TOKEN: "" }),
    "The variable GITLAB_TOKEN is not set. Create a project access token with the scope api and the role Reporter, and store it as a masked CI/CD variable, because the token of a job may not write comments.\n",
    1,
  ],
  [
    ["label", "a"],
    () => ({ ...ofGitLab(), CI_MERGE_REQUEST_IID: "7/notes" }),
    'CI_MERGE_REQUEST_IID is not a number: "7/notes"\n',
    1,
  ],
  [
    ["commment"],
    () => ({}),
    "Write one of preview, comment, label, drift, images, pulumi.\nAll options: npm run pipeline -- --help\n",
    64,
  ],
  [
    ["comment", "drift", "FILE"],
    () => ({}),
    "Write comment plan FILE.json, or comment preview FILE.json.\nAll options: npm run pipeline -- --help\n",
    64,
  ],
  [
    ["images", "--stack", "dev", "images.txt"],
    () => ({}),
    "Write images --stack NAME.\nAll options: npm run pipeline -- --help\n",
    64,
  ],
  [
    ["preview", "--stack", "dev"],
    () => ({}),
    "preview needs --stack and --out.\nAll options: npm run pipeline -- --help\n",
    64,
  ],
])("refuses %j", async (args, env, out, code) => {
  expect(await pipeline(args, env())).toEqual({ code, out });
});

it("shows a preview on the page of the run", async () => {
  const pulumi = write("pulumi.sh", "#!/bin/sh\necho Previewing");
  chmodSync(pulumi, 0o755);
  const args = ["preview", "--stack", "dev", "--out", at("out/dev.json"), "--pulumi", pulumi];
  expect((await pipeline(args, { ...ofGitHub(), GITHUB_STEP_SUMMARY: at("summary.md") })).code).toBe(0);
  expect(readFileSync(at("summary.md"), "utf8")).toContain("| `dev` | ✅ nothing changes |");
  expect((await pipeline(args, ofAzure())).out).toBe("Previewing\n##vso[task.uploadsummary]DIR/out/dev.md\n");
  expect((await pipeline(args, ofGitLab())).out).toBe("Previewing\n");
});
