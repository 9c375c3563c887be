import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { installPulumi, type PulumiOptions, recordPulumi } from "../../commands/pipeline/pulumi";
import { said } from "capz-windows-test-kit/said";
import { projectDir } from "../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** Pulumi's CLI and its plug-ins by version and digest: SECURITY.md, "What is verified". */

const root = temporaryFolder();
const newFolder = (): string => mkdtempSync(join(root, "x"));

const versionOf = (name: string): string =>
  (
    JSON.parse(readFileSync(join(projectDir, "node_modules", name, "package.json"), "utf8")) as {
      version: string;
    }
  ).version;
const cliVersion = versionOf("pulumi");
const cli = `pulumi-v${cliVersion}-linux-x64.tar.gz`;
const plugins = ["azure-native", "kubernetes", "random"].map((name) => ({
  name,
  version: versionOf(`@pulumi/${name}`),
  file: `pulumi-resource-${name}-v${versionOf(`@pulumi/${name}`)}-linux-amd64.tar.gz`,
}));
const names = [cli, ...plugins.map(({ file }) => file)];

/** An archive of the CLI: a script that writes down how it was started. */
function cliArchive(calls: string): Buffer {
  const dir = newFolder();
  mkdirSync(join(dir, "pulumi"));
  const script = `#!/bin/sh\necho "$@" >> '${calls}'\nenv >> '${calls}.env'\n`;
  writeFileSync(join(dir, "pulumi/pulumi"), script, { mode: 0o755 });
  return execFileSync("tar", ["-czf", "-", "-C", dir, "pulumi"]);
}

let server: Server;
let from = "";
let asked: string[] = [];
let contents: Record<string, Buffer> = {};

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const content = contents[url];
    response.statusCode = content === undefined ? 404 : 200;
    response.end(content);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  from = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

/** A project, what the server has, and where the fake CLI writes its calls. */
function scene() {
  const dir = newFolder();
  const calls = join(newFolder(), "calls");
  asked = [];
  contents = {
    [`/sdk/${cli}`]: cliArchive(calls),
    ...Object.fromEntries(plugins.map(({ file }) => [`/plugins/${file}`, Buffer.from(file)])),
  };
  const home = join(newFolder(), "pulumi");
  const options: PulumiOptions = { dir, arch: "x64", from };
  const sums = join(dir, "pulumi.sha256");
  return { calls, home, options, sums };
}

const sumOf = (content: Buffer | undefined): string =>
  createHash("sha256")
    .update(content ?? "")
    .digest("hex");

const install = (home: string, options: PulumiOptions, env = {}) =>
  said(() => installPulumi(home, options, env).then(() => 0));

it("records each archive once, and keeps what is there", async () => {
  const { options, sums } = scene();
  await said(() => recordPulumi(options).then(() => 0));
  const lines = Object.values(contents).map((content, index) => `${sumOf(content)}  ${names[index]}\n`);
  expect(readFileSync(sums, "utf8")).toBe(lines.join(""));
  asked = [];
  // The digest of another version goes, and the server's new contents do not replace one that is recorded.
  writeFileSync(sums, `${lines.join("")}${"0".repeat(64)}  pulumi-v3.1.0-linux-x64.tar.gz\n`);
  contents = {};
  await said(() => recordPulumi(options).then(() => 0));
  expect(asked).toEqual([]);
  expect(readFileSync(sums, "utf8")).toBe(lines.join(""));
});

it("downloads nothing without all digests", async () => {
  const { home, options, sums } = scene();
  writeFileSync(sums, `${"0".repeat(64)}  ${cli}\n`);
  await expect(install(home, options)).rejects.toThrow(
    `pulumi.sha256 has no digest of ${names.slice(1).join(", ")}. Run \`npm run pipeline -- pulumi --write\` on your machine, compare its lines with the checksums of the releases on GitHub, and commit the file.`,
  );
  expect(asked).toEqual([]);
});

it.each(names)("runs nothing if %s has another digest", async (name) => {
  const { calls, home, options } = scene();
  await said(() => recordPulumi(options).then(() => 0));
  const path = Object.keys(contents).find((one) => one.endsWith(`/${name}`)) ?? "";
  const other = Buffer.concat([contents[path] ?? Buffer.from(""), Buffer.from("x")]);
  contents[path] = other;
  await expect(install(home, options)).rejects.toThrow(
    `${name}: the sha256 is ${sumOf(other)}, not that of pulumi.sha256. Nothing of it was installed.`,
  );
  expect(existsSync(home)).toBe(false);
  expect(existsSync(calls)).toBe(false);
});

it.each(["x", `${"0".repeat(63)}  ${cli}`, `${"0".repeat(64)}  ../${cli}`, `${"G".repeat(64)}  ${cli}`])(
  "refuses the line %s",
  async (line) => {
    const { home, options, sums } = scene();
    writeFileSync(sums, `${line}\n`);
    await expect(install(home, options)).rejects.toThrow(
      "pulumi.sha256, line 1: write a sha256, two spaces and the name of an archive, each name once.",
    );
  },
);

it("installs where the npm package looks, and tells the following steps", async () => {
  const { calls, home, options } = scene();
  await said(() => recordPulumi(options).then(() => 0));
  const file = join(newFolder(), "env");
  process.env.PULUMI_ACCESS_TOKEN = "PLANTED-token";
  const { out } = await install(home, options, { GITHUB_ENV: file });
  delete process.env.PULUMI_ACCESS_TOKEN;
  const lines = [
    `PULUMI_HOME=${home}\n`,
    `PULUMI_VERSION=${cliVersion}\n`,
    "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=true\n",
  ].join("");
  expect(out).toBe(`Pulumi and 3 plug-ins have the digests of pulumi.sha256.\n${lines}`);
  expect(readFileSync(file, "utf8")).toBe(lines);
  const other = scene();
  await said(() => recordPulumi(other.options).then(() => 0));
  expect((await install(other.home, other.options, { TF_BUILD: "True" })).out).toContain(
    `##vso[task.setvariable variable=PULUMI_HOME]${other.home}\n##vso[task.setvariable variable=PULUMI_VERSION]${cliVersion}\n`,
  );
  const installed = readFileSync(calls, "utf8").trimEnd().split("\n");
  expect(installed.map((call) => call.replace(/ \S+\/(?=[^/]*$)/, " "))).toEqual(
    plugins.map(
      ({ name, version, file: archive }) => `plugin install resource ${name} ${version} --file ${archive}`,
    ),
  );
  expect(readFileSync(`${calls}.env`, "utf8")).not.toContain("PLANTED");
  // The real package starts this CLI, and downloads none.
  const env = { PATH: process.env.PATH, PULUMI_HOME: home, PULUMI_VERSION: cliVersion };
  execFileSync(process.execPath, [join(projectDir, "node_modules/pulumi/run.js"), "version"], { env });
  expect(readFileSync(calls, "utf8").trimEnd().split("\n").at(-1)).toBe("version");
});

it("uses no folder that an earlier job has left", async () => {
  const { calls, home, options } = scene();
  await said(() => recordPulumi(options).then(() => 0));
  const bin = join(home, "versions", cliVersion, "bin");
  mkdirSync(bin, { recursive: true });
  await expect(install(home, options)).rejects.toThrow(
    `${bin} is there already. Name a folder that is new in each job.`,
  );
  expect(existsSync(calls)).toBe(false);
});

interface Step {
  readonly run?: string;
  readonly uses?: string;
}
const action = ".github/actions/pulumi/action.yml";
const stepsIn = (path: string): Step[][] => {
  const content = parse(readFileSync(join(projectDir, path), "utf8")) as {
    jobs?: Record<string, { steps: Step[] }>;
    runs?: { steps: Step[] };
  };
  return content.runs === undefined
    ? Object.values(content.jobs ?? {}).map(({ steps }) => steps)
    : [content.runs.steps];
};
const workflows = [".github/workflows", "examples/pipelines/github"].flatMap((folder) =>
  readdirSync(join(projectDir, folder)).map((name) => `${folder}/${name}`),
);

const found = new Set<string>();

it.each(workflows)(
  "%s runs Pulumi only after its digests were compared, and before there is a session",
  (path) => {
    for (const steps of stepsIn(path)) {
      const all = steps.flatMap((step) =>
        step.uses === `./${action.replace("/action.yml", "")}` ? (stepsIn(action)[0] ?? []) : [step],
      );
      const first = (pattern: RegExp): number =>
        all.findIndex(({ run = "", uses = "" }) => pattern.test(`${run}${uses}`));
      const pulumi = first(/\bpipeline(\.js|\b.* --) preview|\bpulumi up/);
      if (pulumi === -1) continue;
      found.add(path);
      const verified = first(/pipeline(\.js|.* --) pulumi --home "\$RUNNER_TEMP\/pulumi"/);
      expect(verified).toBeGreaterThan(-1);
      expect(verified).toBeLessThan(first(/azure\/login/));
      expect(verified).toBeLessThan(pulumi);
    }
  },
);

it("this was asked of all workflows that run Pulumi", () => {
  const names = ["deploy.yml", "drift.yml", "preview.yml"];
  const folders = [".github/workflows", "examples/pipelines/github"];
  expect([...found]).toEqual(folders.flatMap((folder) => names.map((name) => `${folder}/${name}`)));
});

it("the examples for Azure Pipelines and GitLab do so, too", () => {
  const read = (name: string): string => readFileSync(join(projectDir, "examples/pipelines", name), "utf8");
  const runs = /pipeline -- preview|pulumi up/;
  const jobs = read("azure-pipelines.yml")
    .split(/- checkout: self/)
    .filter((job) => runs.test(job));
  expect(jobs).toHaveLength(2);
  for (const job of jobs) {
    const [before = ""] = job.split("- task: AzureCLI@2");
    expect(before).toContain('npm run pipeline -- pulumi --home "$AGENT_TEMPDIRECTORY/pulumi"');
    expect(before).not.toMatch(runs);
  }
  type Job = { readonly extends?: string; readonly before_script?: readonly string[] } | undefined;
  const pipeline = parse(read("gitlab-ci.yml")) as Readonly<Record<string, Job>>;
  const firstOf = (job: Job): readonly string[] =>
    job?.before_script ?? (job?.extends === undefined ? [] : firstOf(pipeline[job.extends]));
  const named = Object.entries(pipeline).filter(([, job]) => runs.test(JSON.stringify(job)));
  expect(named.map(([name]) => name)).toEqual([".preview", ".up", ".drift"]);
  for (const [, job] of named) {
    expect(firstOf(job).indexOf('npm run pipeline -- pulumi --home "$PULUMI_HOME"')).toBe(1);
  }
});
