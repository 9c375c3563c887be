import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, fake, ofAzure, ofGitHub, ofGitLab, pipeline, plan, serverUrl, write } from "./fakeService";

/** Pull requests with newer images, with the real git on both sides, and a fake of npm that records its arguments. */

const { PATH } = process.env;
const cwd = process.cwd();
const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
    ...{ encoding: "utf8", stdio: "pipe" },
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
  });

let number = 0;
beforeEach(() => {
  const dir = at(`case${++number}`);
  mkdirSync(join(dir, "bin"), { recursive: true });
  execFileSync("rm", ["-rf", at("origin")]);
  execFileSync("git", ["init", "--quiet", "--bare", at("origin")]);
  execFileSync("git", ["init", "--quiet", "--initial-branch=main", join(dir, "checkout")]);
  process.chdir(join(dir, "checkout"));
  write(`case${number}/checkout/Pulumi.prod.yaml`, "version: 1\n");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");
  write(
    `case${number}/bin/npm`,
    `#!/bin/sh
echo "$*" | sed "s|/tmp/.*/|WORK/|" >> ../asked
for last; do :; done
case "$*" in
  *" images "*) echo "\${LISTED:-windowsPools.win1: newer: 1.35.9}"; [ -z "$NEWER" ] || echo "$NEWER" > Pulumi.prod.yaml; exit "\${IMAGES_STATUS:-2}" ;;
  *) cp "${at("plan.json")}" "$last"; exit 2 ;;
esac
`,
  );
  chmodSync(join(dir, "bin/npm"), 0o755);
  plan();
  process.env.PATH = `${join(dir, "bin")}:${PATH ?? ""}`;
});
afterEach(() => {
  process.chdir(cwd);
  process.env.PATH = PATH;
  for (const name of ["NEWER", "LISTED", "IMAGES_STATUS"]) {
    Reflect.deleteProperty(process.env, name);
  }
});

const run = (env: Readonly<Record<string, string>>) => pipeline(["images", "--stack", "prod"], env);
const branch = (): string => git("-C", at("origin"), "show", "--stat", "--format=%s", "images/prod");

const body = expect.stringMatching(
  /^Newer images for the stack `prod`\.[^]*VNET network-vnet is deleted[^]*windowsPools\.win1: newer: 1\.35\.9/,
) as string;
const title = "Newer images for prod";
const said = (what: string) =>
  expect.stringMatching(new RegExp(`${what} the pull request "${title}"\n$`)) as string;
const source = "refs/heads/images/prod";
const azurePulls = "/org/My%20Team/_apis/git/repositories/r1/pullRequests";
const gitlabPulls = "/api/v4/projects/3/merge_requests";

const services = {
  github: {
    env: () => ({ ...ofGitHub({}), GITHUB_SERVER_URL: serverUrl(), GITHUB_REF_NAME: "main" }),
    list: "/repos/owner/repository/pulls",
    query: "?state=open&head=owner:images/prod",
    none: [],
    open: [{ number: 7 }],
    made: {
      ...{ method: "POST", path: "/repos/owner/repository/pulls" },
      body: { title, body, head: "images/prod", base: "main" },
    },
    updated: { method: "PATCH", path: "/repos/owner/repository/pulls/7", body: { body } },
    repository: "/owner/repository.git",
  },
  "azure-devops": {
    env: () => ({
      ...{ ...ofAzure(), BUILD_SOURCEBRANCH: "refs/heads/main" },
      BUILD_REPOSITORY_URI: `${serverUrl()}/org/My%20Team/_git/r1`,
    }),
    list: azurePulls,
    query: `?searchCriteria.status=active&searchCriteria.sourceRefName=${source}&searchCriteria.sourceRepositoryId=r1&api-version=7.1`,
    none: { value: [] },
    open: { value: [{ pullRequestId: 7 }] },
    made: {
      ...{ method: "POST", path: `${azurePulls}?api-version=7.1` },
      body: { sourceRefName: source, targetRefName: "refs/heads/main", title, description: body },
    },
    updated: { method: "PATCH", path: `${azurePulls}/7?api-version=7.1`, body: { description: body } },
    repository: "/org/My%20Team/_git/r1",
  },
  gitlab: {
    env: () => ({
      ...{ ...ofGitLab(), CI_MERGE_REQUEST_IID: "", CI_COMMIT_BRANCH: "main", GITLAB_TOKEN: "" },
      ...{ CI_PROJECT_URL: `${serverUrl()}/group/project`, IMAGES_TOKEN: ofGitLab().GITLAB_TOKEN },
    }),
    list: gitlabPulls,
    query: "?state=opened&source_project_id=3&source_branch=images/prod&per_page=100",
    none: [{ iid: 6, source_project_id: 4 }],
    open: [
      { iid: 6, source_project_id: 4 },
      { iid: 7, source_project_id: 3 },
    ],
    made: {
      ...{ method: "POST", path: gitlabPulls },
      body: {
        ...{ source_branch: "images/prod", target_branch: "main", remove_source_branch: true },
        ...{ title, description: body },
      },
    },
    updated: { method: "PUT", path: `${gitlabPulls}/7`, body: { description: body } },
    repository: "/group/project.git",
  },
};

describe.each(Object.entries(services))("newer images in %s", (_, service) => {
  it("are one pull request, from one branch that each month replaces", async () => {
    process.env.NEWER = "version: 2";
    writeFileSync("other", "not for the pull request");
    fake.answers = { [service.list]: service.none };
    expect(await run(service.env())).toMatchObject({ code: 0, out: said("Opened") });
    expect(fake.calls).toEqual([service.made]);
    expect(fake.queries).toContain(service.query);
    expect(branch()).toMatch(/^Newer images for prod\n\n Pulumi\.prod\.yaml \| 2 \+-\n 1 file changed/);
    expect(execFileSync("cat", ["../asked"], { encoding: "utf8" })).toBe(
      "run --silent images -- --stack prod --write\nrun --silent plan -- --stack prod --against HEAD --report WORK/plan.json\n",
    );

    // The next month, from the default branch again, with the first one still open.
    git("reset", "--quiet", "--hard", "HEAD~1");
    Object.assign(process.env, { NEWER: "version: 3" });
    Object.assign(fake, { calls: [], answers: { [service.list]: service.open } });
    expect(await run(service.env())).toMatchObject({ code: 0, out: said("Updated") });
    expect(fake.calls).toEqual([service.updated]);
    expect(git("-C", at("origin"), "show", "images/prod:Pulumi.prod.yaml")).toBe("version: 3\n");
    expect(git("-C", at("origin"), "rev-list", "--count", "images/prod")).toBe("2\n");
    expect(new Set(fake.pushes)).toEqual(
      new Set([`${service.repository}/info/refs`, `${service.repository}/git-receive-pack`]),
    );
    expect(fake.authorized.every(Boolean)).toBe(true);
  });

  it("are none if the stack file stays as it is", async () => {
    expect(await run(service.env())).toEqual({
      code: 0,
      out: "windowsPools.win1: newer: 1.35.9\nPulumi.prod.yaml stays as it is: no pull request.\n",
    });
    expect(fake.authorized).toEqual([]);
  });
});

it.each([
  [
    { IMAGES_STATUS: "1" },
    {},
    "windowsPools.win1: newer: 1.35.9\nnpm run images -- --stack prod --write: exit code 1\n",
  ],
  [
    {},
    { IMAGES_TOKEN: "other" },
    "windowsPools.win1: newer: 1.35.9\ngit push: fatal: unable to access 'SERVER/group/project.git/': The requested URL returned error: 403. docs/pipelines.md says what the token must be allowed to do.\n",
  ],
])("are no pull request where the stack file is wrong, or git may not push: %o %o", async (npm, env, out) => {
  Object.assign(process.env, { NEWER: "version: 2", ...npm });
  expect(await run({ ...services.gitlab.env(), ...env })).toEqual({ code: 1, out });
  expect(fake.calls).toEqual([]);
});

it("fit into what Azure DevOps takes, and say what is missing", async () => {
  Object.assign(process.env, { NEWER: "version: 2", LISTED: "win1 ".repeat(1000) });
  fake.answers = { [azurePulls]: { value: [] } };
  plan(20);
  expect(await run(services["azure-devops"].env())).toMatchObject({ code: 0 });
  const { description } = fake.calls[0]?.body as { description: string };
  expect(description.length).toBeLessThanOrEqual(4000);
  expect(description).toMatch(/Cut to fit[^]*win1 win1 {2}… \(\d+ more characters\)/);
});

it("asks for the token before Azure is asked", async () => {
  expect(await run({ ...services.gitlab.env(), IMAGES_TOKEN: "" })).toEqual({
    code: 1,
    out: "The variable IMAGES_TOKEN is not set. Create a project access token with the scope api and the role Developer, and store it as a masked and protected CI/CD variable, because the token of a job may not open merge requests.\n",
  });
});
