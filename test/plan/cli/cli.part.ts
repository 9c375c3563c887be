import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { optionTable } from "capz-windows-kit/commandLine/options";
import { readArguments } from "../../../plan/cli/arguments";
import { gates } from "../../../plan/cli/exitCode";
import { run, type PlanCommandOptions } from "../../../plan/cli/main";
import { planStack, type StackPlanOptions } from "../../../plan/cli/planStack";
import { formatOfFile, formats } from "../../../plan/reports/formats";
import { planJson } from "../../../plan/model/planJson";
import { oneLine } from "capz-windows-kit/visible";
import { filesIn } from "../../support/filesIn";
import { planOf } from "../../support/plans";
import { testProject } from "../../support/project";
import { said } from "capz-windows-test-kit/said";
import { leaks, marker } from "capz-windows-test-kit/secrets";
import { exampleFile, projectDir } from "../../support/stacks";

const work = mkdtempSync(join(tmpdir(), "capz-windows-cli-"));
const project = testProject();
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
  project.remove();
});

/** Environment variables with secrets, none of which a plan needs. */
const credentials = [
  ...["ARM_CLIENT_SECRET", "ARM_ACCESS_KEY", "ARM_OIDC_TOKEN", "ARM_CLIENT_CERTIFICATE_PASSWORD"],
  ...["AZURE_CLIENT_SECRET", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "AWS_SECRET_ACCESS_KEY"],
  ...["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG", "KUBECONFIG", "KUBE_TOKEN"],
  ...["GITHUB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "HTTPS_PROXY", "NODE_AUTH_TOKEN"],
];

/** Runs the command as its own process, with secrets in its environment. */
const plan = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(projectDir, "scripts/plan.js"), ...args], {
    cwd: work,
    encoding: "utf8",
    env: {
      ...process.env,
      // Without whole manifests, like the plans that it is compared with.
      CAPZ_WINDOWS_MANIFEST_CACHE: undefined,
      ...Object.fromEntries(credentials.map((name) => [name, marker(name)])),
    },
  });

/** Runs the command in this process, which saves a second per call. */
async function runHere(args: readonly string[], options: Partial<PlanCommandOptions> = {}) {
  const { code, out, err } = await said(() => run(args, { projectDir: project.dir, ...options }));
  return { status: code, stdout: out, stderr: err };
}

const example = (stack: string): string => join(projectDir, exampleFile(stack));

const resourcesIn = (out: string): unknown => JSON.parse(readFileSync(join(out, "plan.json"), "utf8"));

const resourcesOf = async (stack: string): Promise<unknown> =>
  JSON.parse(JSON.stringify(planJson(await planOf(stack))));

describe("npm run plan", () => {
  it("prints what the stack creates, the warnings and where the files are", async () => {
    const out = join(work, "out");
    const { status, stdout, stderr } = plan("--config-file", example("dev"), "--out", out);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^dev: Kubernetes [^\n]* public IPs\n\nMachines\n/);
    expect(stdout).toMatch(
      /\nWarnings\n[^]*test\/stacks\/Pulumi\.dev\.yaml:\d+ +subscriptionId: set your own/,
    );
    expect(stdout).toContain(` files are in ${out}.\n`);
    const written = filesIn(out);
    expect(written.size).toBeGreaterThan(30);
    const places: [string, string][] = [...written, ["stdout", stdout], ["stderr", stderr]];
    expect(leaks(places, credentials.map(marker))).toEqual([]);
    expect(readdirSync(out).sort()).toEqual([
      "azure",
      "helm",
      "management",
      "nodes",
      "plan.json",
      "rights",
      "sample",
      "workload",
    ]);
    // The plans of the other tests are those of the command.
    expect(resourcesIn(out)).toEqual(await resourcesOf("dev"));
  });

  it("replaces an older plan, prints one format and nothing else, and writes the others", async () => {
    const out = join(work, "out");
    expect(existsSync(join(out, "helm"))).toBe(true);
    writeFileSync(join(out, "notes.txt"), "of a user");
    const reports = ["a/plan.html", "a/plan.md", "plan.txt"].map((name) => join(work, name));
    const planned: StackPlanOptions[] = [];
    const { status, stdout, stderr } = await runHere(
      [
        ...["--config-file", example("existing"), "--out", out, "--format", "json"],
        ...reports.flatMap((file) => ["--report", file]),
      ],
      {
        projectDir,
        planner: (options) => {
          planned.push(options);
          return planOf(options.stack);
        },
      },
    );
    expect(planned).toMatchObject([{ stack: "existing", configFile: "test/stacks/Pulumi.existing.yaml" }]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ version: 2, stacks: [{ stack: "existing" }] });
    const [page = "", comment = "", text = ""] = reports.map((file) => readFileSync(file, "utf8"));
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">[^]*<\/html>\n$/);
    expect(page).toContain("Who may reach what");
    expect(comment).toMatch(/^## Plan\n/);
    expect(text).toMatch(/^existing: Kubernetes /);
    // The stack's secret appears neither as its ciphertext nor as the placeholder of the plan.
    const shown = [...filesIn(out).values(), stdout, stderr, page, comment, text];
    expect(shown.filter((each) => /replace-me-with-pulumi|not decrypted by the plan/.test(each))).toEqual([]);
    expect(readdirSync(join(work, "a")).sort()).toEqual(["plan.html", "plan.md"]);
    expect(resourcesIn(out)).toEqual(await resourcesOf("existing"));
    expect(readFileSync(join(out, "notes.txt"), "utf8")).toBe("of a user");
    expect(readdirSync(join(out, "nodes")).sort()).toEqual(["control-plane", "win1"]);
    expect(existsSync(join(out, "helm"))).toBe(false);
    expect(readdirSync(work).filter((name) => name.includes(".tmp"))).toEqual([]);
  });

  it("plans every stack of the folder one after the other, and gives the worst exit code", async () => {
    const dir = join(work, "two");
    mkdirSync(dir);
    const open = readFileSync(example("dev"), "utf8").replaceAll("203.0.113.0/24", "0.0.0.0/0");
    writeFileSync(join(dir, "Pulumi.yaml"), readFileSync(join(projectDir, "Pulumi.yaml"), "utf8"));
    writeFileSync(join(dir, "Pulumi.dev.yaml"), open);
    writeFileSync(join(dir, "Pulumi.prod.yaml"), readFileSync(example("prod"), "utf8"));
    const { status, stdout } = await runHere(["--all", "--out", join(dir, "out")], {
      projectDir: dir,
      planner: ({ stack }: StackPlanOptions) => planOf(stack),
    });
    expect(status).toBe(4);
    expect(stdout).toMatch(/^dev: policy error: [^]* policies, [^\n]*\.\n\nprod: Kubernetes /);
    expect(readdirSync(join(dir, "out")).sort()).toEqual(["dev", "prod"]);
  });

  it("plans the other stacks of the folder where one is wrong, and ends with exit code 1", async () => {
    const dir = mkdtempSync(join(work, "wrong-"));
    for (const [file, text] of [
      ["Pulumi.yaml", readFileSync(join(projectDir, "Pulumi.yaml"), "utf8")],
      ["Pulumi.bad.yaml", "config:\n  capz-windows:clusterName: NOT ONE\n"],
      ["Pulumi.dev.yaml", readFileSync(example("dev"), "utf8")],
    ] as const) {
      writeFileSync(join(dir, file), text);
    }
    const args = ["--all", "--out", join(dir, "out"), "--report", join(dir, "plan.json")];
    const { status, stdout, stderr } = await runHere([...args, "--report", join(dir, "plan.sarif")], {
      projectDir: dir,
      planner: async (options: StackPlanOptions) =>
        options.stack === "dev" ? planOf("dev") : planStack(options),
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^dev: Kubernetes /);
    expect(stderr).toMatch(/^Pulumi\.bad\.yaml: \d+ problems\n/);
    expect(stderr).toMatch(/\nExit code 1: 1 of 2 stacks cannot be planned: bad\.\n$/);
    const { stacks } = JSON.parse(readFileSync(join(dir, "plan.json"), "utf8")) as {
      stacks: readonly Readonly<Record<string, unknown>>[];
    };
    expect(stacks.map(({ stack }) => stack)).toEqual(["dev", "bad"]);
    expect(stacks[1]).toEqual({
      stack: "bad",
      headline: expect.stringMatching(/^could not be planned: Pulumi\.bad\.yaml: \d+ problems$/) as string,
    });
    expect(readFileSync(join(dir, "plan.sarif"), "utf8")).toContain('"ruleId": "stack-problem"');
  });

  it.each(["a\nb", "a b", "$(id)", "..", "\u202eab", "x".repeat(101)])(
    "leaves out no file of the folder without a word: %j",
    async (stack) => {
      const dir = mkdtempSync(join(work, "odd-"));
      writeFileSync(join(dir, `Pulumi.${stack}.yaml`), readFileSync(example("dev"), "utf8"));
      writeFileSync(join(dir, "Pulumi.dev.yaml"), readFileSync(example("dev"), "utf8"));
      for (const args of [["--all"], ["--all", "--against", "HEAD"]]) {
        const { status, stdout, stderr } = await runHere([...args, "--out", join(dir, "out")], {
          projectDir: dir,
        });
        expect([status, stdout]).toEqual([1, ""]);
        expect(stderr).toBe(
          `Pulumi.${oneLine(stack)}.yaml names no stack: a name has up to 100 letters, digits, '-', '_' and '.'. Rename the file, or name the stack to plan.\n`,
        );
      }
    },
  );

  it("ends with exit code 4 where a policy has an error, unless it is allowed", async () => {
    const open = readFileSync(example("dev"), "utf8").replaceAll("203.0.113.0/24", "0.0.0.0/0");
    const file = join(work, "Pulumi.dev.yaml");
    writeFileSync(file, open);
    const args = ["--config-file", file, "--out", join(work, "open")];
    const planner = ({ stack }: StackPlanOptions) => planOf(stack);
    const failed = await runHere(args, { planner });
    expect(failed.status).toBe(4);
    expect(failed.stdout).toMatch(
      /^dev: policy error: The API server and SSH are open to the Internet – Kubernetes .*\n\nErrors of policies\n {2}error {2}access.allowedCidrs: /,
    );
    expect(failed.stdout).toMatch(/\n1 error, \d+ warnings, \d notes? of policies, \d other warnings?\.\n$/);
    expect(failed.stderr).toBe(
      'Exit code 4: 1 error of policies. Mend it, accept it until a day (docs/policies.md, "Exceptions"), or add --allow-policy-errors.\n',
    );
    const allowed = await runHere([...args, "--allow-policy-errors"], { planner });
    expect([allowed.status, allowed.stdout, allowed.stderr]).toEqual([0, failed.stdout, ""]);
  });

  it("takes the name of the stack from the name of its file", () => {
    expect(readArguments(["--config-file", "examples/Pulumi.prod.yaml"])).toMatchObject({
      stack: "prod",
      configFile: "examples/Pulumi.prod.yaml",
    });
    expect(readArguments(["--config-file", "examples/Pulumi.prod.yaml", "--stack", "mine"]).stack).toBe(
      "mine",
    );
  });

  it.each([
    [
      ["--config-file", "prod.yaml"],
      "--config-file prod.yaml: name the stack as well, because the file is not called Pulumi.NAME.yaml.",
    ],
    [
      ["--all", "--against", "x", "--config-file", "Pulumi.a.yaml"],
      "error: option '--all' cannot be used with option '--config-file <FILE>'",
    ],
    [
      ["--all", "--against", "x", "--stack", "a"],
      "error: option '--all' cannot be used with option '-s, --stack <NAME>'",
    ],
    [["--all", "--against", "x", "a"], "--all is every stack: leave out a."],
    [["dev", "--fail-on", "any"], "--fail-on needs --against: a plan alone changes nothing."],
    [["dev", "--format", "images", "--against", "x"], "--format images is of one plan: leave out --against."],
    [
      ["dev", "--format", "pdf"],
      "error: option '--format <FORMAT>' argument 'pdf' is invalid. Allowed choices are text, markdown, json, html, images, sarif, github.",
    ],
    [
      ["dev", "--report", "a.md", "--report", "a.pdf"],
      "error: option '--report <FILE>' argument 'a.pdf' is invalid. Allowed extensions are .txt, .md, .json, .html, .sarif.",
    ],
  ])("refuses %j", (args, message) => {
    expect(() => readArguments(args)).toThrow(new UsageError(message));
  });

  it("offers each format that it has, and refuses a file of none", () => {
    for (const format of formats) {
      expect(readArguments(["dev", "--format", format]).format).toBe(format);
    }
    expect(
      optionTable.planReports.about.match(/\.[a-z]+/g)?.map((end) => formatOfFile(`a${end}`)),
    ).not.toContain(undefined);
    for (const gate of gates) {
      expect(readArguments(["dev", "--against", "x", "--fail-on", gate]).gate).toBe(gate);
    }
  });

  // npm takes the options itself without `--`: from `--stack dev` it passes on `dev`, from `--stack=dev` nothing.
  it.each([
    [["dev"], { npm_config_stack: "true" }, "npm run plan -- --stack dev"],
    [[], { npm_config_stack: "dev", npm_config_fail_on: "any" }, "npm run plan -- --stack dev --fail-on any"],
  ])("tells %j what npm did with its options", (args, env, command) => {
    expect(() => readArguments(args, env)).toThrow(
      new UsageError(`npm takes options for itself unless \`--\` stands before them: ${command}`),
    );
  });

  it("overwrites only files and directories that a plan has written", async () => {
    const file = join(work, "file");
    const folder = join(work, "folder");
    writeFileSync(file, "of a user");
    mkdirSync(folder);
    writeFileSync(join(folder, "plans.txt"), "of a user");
    for (const out of [file, folder]) {
      const { status, stdout, stderr } = await runHere(["--stack", "dev", "--out", out]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(/^--out .*(this is not a folder|no plan wrote it)/);
    }
    expect(readFileSync(file, "utf8")).toBe("of a user");
    expect(readdirSync(folder)).toEqual(["plans.txt"]);
  });

  it.each([
    [["--all"], 1, "stderr", "The folder has no Pulumi.NAME.yaml.\n"],
    [["--help"], 0, "stdout", "npm run plan -- prod --against main"],
  ] as const)("explains itself for %j", async (args, code, stream, part) => {
    const { status, ...said } = await runHere(args);
    expect({ status, said: said[stream].includes(part) }).toEqual({ status: code, said: true });
  });

  it("a process with a wrong argument ends with its exit code", () => {
    const { status, stdout, stderr } = plan("--stak", "dev");
    expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
    expect(stderr).toBe(
      "error: unknown option '--stak' (Did you mean --stack?)\nAll options: npm run plan -- --help\n",
    );
  });

  const noSuchFile = (file: string, allowed: string, write: string): string =>
    [
      `${file}: 1 problem`,
      "",
      `  ${file}`,
      "    problem  file not found",
      `    allowed  ${allowed}`,
      `    write    ${write}`,
      "",
    ].join("\n");

  it("says what to write in a project without stack files", async () => {
    const { status, stderr } = await runHere(["--stack", "dev"]);
    expect(status).toBe(1);
    expect(stderr).toBe(
      noSuchFile(
        "Pulumi.dev.yaml",
        "a stack file beside Pulumi.yaml, or the example",
        "--config-file examples/Pulumi.dev.yaml # or: cp examples/Pulumi.dev.yaml Pulumi.dev.yaml",
      ),
    );
  });

  it("lists the stacks", async () => {
    project.write("Pulumi.b.yaml", "config: {}\n");
    project.write("Pulumi.a.yaml", "config: {}\n");
    const { status, stderr } = await runHere(["--stack", "nope"]);
    expect(status).toBe(1);
    expect(stderr).toBe(
      noSuchFile(
        "Pulumi.nope.yaml",
        "one of the stacks: a, b",
        "--stack with one of these, or create Pulumi.nope.yaml",
      ),
    );
  });

  it("says that the file of --config-file is missing", async () => {
    const { status, stderr } = await runHere(["--config-file", join(project.dir, "none/Pulumi.x.yaml")]);
    expect(status).toBe(1);
    expect(stderr).toBe(
      noSuchFile("none/Pulumi.x.yaml", "the path of a stack file", "--config-file with the path of one"),
    );
  });

  it("refuses a wrong stack file before it starts the program, without a stack trace, and writes nothing", async () => {
    project.write(
      "Pulumi.wrong.yaml",
      "config:\n  capz-windows:clusterName: UPPER\n  capz-windows:color: red\n",
    );
    const out = join(work, "wrong");
    const { status, stdout, stderr } = await runHere(["--stack", "wrong", "--out", out]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^Pulumi\.wrong\.yaml: 5 problems\n/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(out)).toBe(false);
  });

  it("gives the line of a file that is no YAML, but not its text", async () => {
    project.write("Pulumi.broken.yaml", "config:\n  key: 'PLANTED\n");
    const { status, stderr } = await runHere(["--stack", "broken"]);
    expect(status).toBe(1);
    expect(stderr).toContain("line 2, column 8\n    problem  a quote, a bracket or a colon is missing");
    expect(stderr).not.toContain("PLANTED");
  });
});

it("the example dev has fewer than 25 lines", () => {
  expect(readFileSync(example("dev"), "utf8").trimEnd().split("\n").length).toBeLessThan(25);
});
