import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { reportJson } from "../../plan/reports/json";
import { example, reportOf } from "../plan/reports/comparisons";
import { checkout, folders, lastScript } from "./fakeGh";

/** What the workflows write to GitHub: comments, the issue about drift, and pull requests with newer images. */

let place: ReturnType<typeof checkout>;
beforeEach(() => {
  place = checkout();
});
afterEach(() => {
  place.remove();
});

const operations = [{ op: "update", urn: "urn:pulumi:dev::p::t::@octocat", paths: [] }];
const previewText = (result: string): string =>
  JSON.stringify({ stack: "dev", result, operations, text: "Previewing" });

const [folder = "", shipped = ""] = folders;

it.each(["comment.yml", "drift.yml", "images.yml"])(
  "%s does the same in the workflows that users get",
  (name) => {
    const script = lastScript(shipped, name).replaceAll(
      "npm run --silent pipeline -- ",
      "node scripts/pipeline.js ",
    );
    expect(script).toBe(lastScript(folder, name));
  },
);

describe("comments", () => {
  const pulls = "repos/owner/repository/pulls";
  const comments = "repos/owner/repository/issues/5/comments";
  const marker = "<!-- capz-windows: plan -->";
  const others = [
    { id: 1, user: { login: "somebody" }, body: `${marker}\nmine` },
    { id: 2, user: { login: "github-actions[bot]" }, body: "<!-- capz-windows: preview dev -->\nold" },
  ];
  const own = { id: 3, user: { login: "github-actions[bot]" }, body: `${marker}\nold` };
  const answers = (found: readonly object[], sha = "abc") => ({
    [pulls]: [
      { number: 4, head: { sha: "other" } },
      { number: 5, head: { sha } },
    ],
    [comments]: found,
  });
  const comment = (given: object, repository = "owner/repository") =>
    place.run(lastScript(folder, "comment.yml"), given, {
      ...{ REPORTS: place.path("reports"), REPOSITORY: repository, OWNER: "fork", BRANCH: "a" },
      ...{ COMMIT: "abc", RUN: "https://github.example/other" },
    });
  const planFile = (): string =>
    place.write("reports/plan-report/plan.json", JSON.stringify(reportJson(reportOf(example))));

  it("of a plan is written once, and updated", () => {
    planFile();
    const made = comment(answers(others));
    expect(made).toMatchObject({ status: 0 });
    expect(made.calls).toEqual([
      {
        args: ["api", "--method", "POST", comments, "-F", "body=@body.md"],
        body: expect.stringMatching(
          /^<!-- capz-windows: plan -->\n[^]*\*\*destroys\*\* The VNET network-vnet is deleted[^]*\[the whole report\]\(https:\/\/github\.example\/other\)/,
        ) as string,
      },
    ]);
    const [updated, ...more] = comment(answers([...others, own])).calls;
    expect(updated?.args).toEqual([
      ...["api", "--method", "PATCH", "repos/owner/repository/issues/comments/3", "-F", "body=@body.md"],
    ]);
    expect(more).toEqual([]);
  });

  it("is not written if the pull request has a newer commit", () => {
    planFile();
    expect(comment(answers([], "newer"))).toEqual({
      ...{ status: 0, calls: [], out: "There is no open pull request with this commit: no comment.\n" },
    });
  });

  it("is one for each preview, and none of what a fork calls a preview", () => {
    place.write("reports/preview-dev/dev.json", previewText("changes"));
    const [made] = comment(answers([])).calls;
    expect(made?.body).toMatch(/^<!-- capz-windows: preview dev -->\n/);
    expect(comment(answers(others)).calls[0]?.args).toContain("repos/owner/repository/issues/comments/2");
    expect(comment(answers([]), "fork/repository")).toMatchObject({ status: 0, calls: [] });
  });

  it("is not written if a fork's data is no report, or a link, and does not quote it", () => {
    place.write("reports/plan-report/plan.json", "FORGED @octocat");
    const forged = comment(answers([]));
    expect(forged).toMatchObject({ status: 1, calls: [] });
    expect(forged.out).toBe("The report is not JSON.\n");
    place.write("elsewhere.json", "{}");
    execFileSync("rm", [place.path("reports/plan-report/plan.json")]);
    symlinkSync(place.path("elsewhere.json"), place.path("reports/plan-report/plan.json"));
    const linked = comment(answers([]));
    expect(linked).toMatchObject({ status: 1, calls: [] });
    expect(linked.out).toBe(`${place.path("reports/plan-report/plan.json")}: no regular file\n`);
  });

  it("is not written if GitHub does not answer", () => {
    planFile();
    expect(comment({ [pulls]: answers([])[pulls] })).toEqual({
      ...{ status: 1, calls: [], out: "gh: Not Found (HTTP 404)\n" },
    });
  });
});

describe("the issue about drift", () => {
  const issues = "repos/owner/repository/issues";
  const other = { number: 8, title: "Drift in stack prod" };
  const own = { number: 9, title: "Drift in stack dev" };
  const repo = ["--repo", "owner/repository"];
  const drift = (result: string, open: readonly object[]) => {
    place.write("checkout/previews/dev.json", previewText(result));
    return place.run(lastScript(folder, "drift.yml"), { [issues]: open }, { STACK: "dev", RUN: "https://r" });
  };

  it.each([
    ["opened", "changes", [other], ["create", ...repo, "--title", own.title, "--body-file", "body.md"]],
    ["updated", "changes", [other, own], ["edit", "9", ...repo, "--body-file", "body.md"]],
    ["closed", "unchanged", [own], ["close", "9", ...repo]],
  ])("is %s", (_, result, open, args) => {
    const { status, calls } = drift(result, open);
    expect({ status, args: calls.map((call) => call.args) }).toEqual({
      status: 0,
      args: [["issue", ...args]],
    });
    expect(calls[0]?.body).toMatch(
      result === "changes" ? /^What runs in stack `dev` is not[^]*- \*\*update\*\* `@octocat` `t`/ : /^$/,
    );
  });

  it.each(["unchanged", "failed"])("stays away otherwise: %s", (result) => {
    expect(drift(result, [])).toMatchObject({ status: 0, calls: [] });
  });
});

describe("newer images", () => {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      ...{ cwd: place.path("checkout"), encoding: "utf8", stdio: "pipe" },
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  const images = (env: Readonly<Record<string, string>>, open: readonly object[] = []) =>
    place.run(
      lastScript(folder, "images.yml"),
      { "pr list": open },
      { STACK: "prod", GITHUB_SERVER_URL: `file://${place.dir}`, ...env },
    );
  const repo = ["--repo", "owner/repository"];

  beforeEach(() => {
    execFileSync("git", ["init", "--quiet", "--bare", place.path("owner/repository.git")]);
    git("init", "--quiet", "--initial-branch=main");
    place.write("checkout/Pulumi.prod.yaml", "version: 1\n");
    git("add", "Pulumi.prod.yaml");
    git("commit", "--quiet", "--message", "first");
  });

  const pushed = (...args: string[]): string => git("-C", place.path("owner/repository.git"), ...args);

  it("are one pull request, from one branch that each month replaces", () => {
    const made = images({ NEWER: "version: 2\n" }, [{ number: 6, isCrossRepository: true }]);
    expect(made).toMatchObject({ status: 0 });
    const title = "Newer images for prod";
    expect(made.calls).toEqual([
      {
        args: ["pr", "create", ...repo, "--head", "images/prod", "--title", title, "--body-file", "body.md"],
        body: "what the change does\n",
      },
    ]);
    expect(pushed("show", "--stat", "--format=%s", "images/prod")).toMatch(
      /^Newer images for prod\n\n Pulumi\.prod\.yaml \| 2 \+-\n 1 file changed/,
    );
    expect(place.read("asked")).toBe(
      "images --stack prod --write\nplan --stack prod --against HEAD --allow-policy-errors --report body.md\n",
    );
    // The next month, from the default branch again, with the first one still open.
    git("reset", "--quiet", "--hard", "HEAD~1");
    const updated = images({ NEWER: "version: 3\n", PLAN_STATUS: "3" }, [
      { number: 7, isCrossRepository: false },
    ]);
    expect(updated.calls.map(({ args }) => args)).toEqual([
      ["pr", "edit", "7", ...repo, "--body-file", "body.md"],
    ]);
    expect(pushed("show", "images/prod:Pulumi.prod.yaml")).toBe("version: 3\n");
    expect(pushed("rev-list", "--count", "images/prod")).toBe("2\n");
  });

  it.each([
    ["the stack file stays as it is", {}, 0, "Pulumi.prod.yaml stays as it is: no pull request.\n"],
    ["the stack file is wrong", { NEWER: "version: 2\n", IMAGES_STATUS: "1" }, 1, ""],
    ["there is no plan", { NEWER: "version: 2\n", PLAN_STATUS: "1" }, 1, ""],
  ])("are none if %s", (_, env, status, out) => {
    expect(images(env as Readonly<Record<string, string>>)).toEqual({ status, calls: [], out });
    expect(pushed("branch", "--list")).toBe("");
  });
});
