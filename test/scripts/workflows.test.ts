import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import { projectDir } from "../support/stacks";

/** Rules for the workflows that actionlint does not check. */

interface Step {
  readonly uses?: string;
  readonly id?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly "timeout-minutes"?: number;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly environment?: string;
  readonly strategy?: Readonly<Record<string, unknown>>;
  readonly "runs-on": string;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const dir = ".github/workflows";
const examples = "examples/pipelines/github";
/** Workflows of the project, and those that it gives its users, who may add others. */
const names = [
  ...["check", "comment", "deploy", "drift", "images", "preview", "release"].map(
    (name) => `${dir}/${name}.yml`,
  ),
  ...["check", "deploy", "drift", "images", "preview"].map((name) => `${examples}/${name}.yml`),
];
const textOf = (name: string): string => readFileSync(join(projectDir, name), "utf8");
const workflow = (name: string): Workflow => parse(textOf(name)) as Workflow;
const jobsOf = (name: string): Job[] => Object.values(workflow(name).jobs);
const action = readFileSync(join(projectDir, ".github/actions/pulumi/action.yml"), "utf8");

it("all exist", () => {
  const found = [dir, examples].flatMap((folder) =>
    readdirSync(join(projectDir, folder)).map((name) => `${folder}/${name}`),
  );
  expect(found).toEqual(expect.arrayContaining(names));
});

it("pin every action to a commit, with the version in a comment", () => {
  const uses = [...names.map(textOf), action].flatMap((text) => text.match(/uses: .*/g) ?? []);
  expect(uses.length).toBeGreaterThan(20);
  expect(
    uses.filter(
      (line) =>
        !/^uses: (\.\/\.github\/actions\/pulumi|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(line),
    ),
  ).toEqual([]);
});

describe.each(names)("%s", (name) => {
  it("grants no permissions, except to jobs that declare them", () => {
    expect(workflow(name).permissions).toEqual({});
    expect(jobsOf(name).filter(({ permissions }) => permissions === undefined)).toEqual([]);
  });

  it("puts no expression into a script, where its value would be code", () => {
    const runs = jobsOf(name).flatMap(({ steps }) => steps.map(({ run }) => run ?? ""));
    expect(runs.filter((run) => run.includes("${{"))).toEqual([]);
  });

  it("leaves no credentials in the checkout, and has a timeout", () => {
    const checkouts = jobsOf(name).flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith("actions/checkout@")),
    );
    expect(checkouts.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([]);
    expect(jobsOf(name).filter((job) => job["timeout-minutes"] === undefined)).toEqual([]);
  });
});

it("workflows that run for forks have no credentials and no write permission", () => {
  const text = textOf(`${dir}/check.yml`);
  expect(text).not.toMatch(/secrets\.|id-token|: write|pull_request_target/);
});

it("workflows with write permission never run code of a fork", () => {
  const { on, jobs } = workflow(`${dir}/comment.yml`);
  expect(Object.keys(on)).toEqual(["workflow_run"]);
  const steps = jobs.comment!.steps;
  // Without a ref, checkout takes the default branch.
  expect(steps[0]!.with).toEqual({ "persist-credentials": false });
  expect(textOf(`${dir}/comment.yml`)).not.toMatch(/head_sha }}\s*$.*ref:|ref: /m);
});

it.each([dir, examples])(
  "%s deploys one stack at a time, in its own environment, and never cancels",
  (folder) => {
    const { up } = workflow(`${folder}/deploy.yml`).jobs;
    expect(up!.concurrency).toEqual({ group: "pulumi-${{ matrix.stack }}", "cancel-in-progress": false });
    expect(up!.environment).toBe("${{ matrix.stack }}");
    expect(up!.strategy).toMatchObject({ "max-parallel": 1, "fail-fast": true });
  },
);

it.each([dir, examples])(
  "%s previews and deploys a stack on its runners, and nothing else there",
  (folder) => {
    const runner = (name: string, job: string, RUNNERS: string): unknown => {
      const [, expression] =
        /^\$\{\{ (.*) \}\}$/.exec(workflow(`${folder}/${name}.yml`).jobs[job]!["runs-on"]) ?? [];
      const context = { fromJSON: JSON.parse, vars: { RUNNERS }, matrix: { stack: "team-a" } };
      return expression === undefined ? "hosted" : runInNewContext(expression, context);
    };
    const jobs = ["preview/preview", "deploy/preview", "deploy/up", "drift/drift"].map((path) =>
      path.split("/"),
    );
    for (const [name = "", job = ""] of jobs) {
      expect(runner(name, job, '{"team-a": ["self-hosted", "hub"]}')).toEqual(["self-hosted", "hub"]);
      expect(runner(name, job, '{"prod": "large"}')).toBe("ubuntu-24.04");
      expect(runner(name, job, "")).toBe("ubuntu-24.04");
    }
    expect(runner("images", "images", "{}")).toBe("hosted");
    expect(runner("check", "plan", "{}")).toBe("hosted");
  },
);

it("a release waits for a person, and nothing is installed or built beside the login at npm", () => {
  const { on, jobs } = workflow(`${dir}/release.yml`);
  expect(Object.keys(on)).toEqual(["workflow_dispatch"]);
  const { build, publish, tag } = jobs;
  expect(publish).toMatchObject({ needs: "build", environment: "release" });
  expect(tag).toMatchObject({ needs: "publish" });
  expect([build, publish, tag].map((job) => job!.permissions)).toEqual([
    { actions: "read", contents: "read" },
    { contents: "read", "id-token": "write" },
    { contents: "write" },
  ]);
  expect(publish!.steps.flatMap(({ run }) => run ?? [])).toEqual(["node scripts/release.js"]);
});

it("new versions wait for a week, and none is published with a token", () => {
  const { updates } = parse(textOf(".github/dependabot.yml")) as { updates: Record<string, unknown>[] };
  expect(updates.map(({ cooldown }) => cooldown)).toEqual([{ "default-days": 7 }, { "default-days": 7 }]);
  expect(textOf(`${dir}/release.yml`)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
});

describe("tests of the program", () => {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-changed-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: dir });
  const [step] = jobsOf(".github/workflows/check.yml").flatMap(({ steps }) =>
    steps.filter(({ id }) => id === "changed"),
  );
  afterAll(() => {
    rmSync(dir, { recursive: true });
  });

  it.each([
    ["pull_request", "Pulumi.dev.yaml", ""],
    ["pull_request", "index.ts", "program=true\n"],
    // Its commits before the last one may have changed the program.
    ["push", "Pulumi.dev.yaml", "program=true\n"],
  ])("%s that changes %s", (event, file, expected) => {
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "base");
    writeFileSync(join(dir, file), event);
    git("add", "-A");
    git("commit", "-q", "-m", "change");
    const output = join(dir, ".git", "output");
    writeFileSync(output, "");
    const env = { ...process.env, GITHUB_EVENT_NAME: event, GITHUB_OUTPUT: output };
    execFileSync("bash", ["-e", "-c", step?.run ?? "exit 1"], { cwd: dir, env });
    expect(readFileSync(output, "utf8")).toBe(expected);
  });
});
