import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandNames } from "capz-windows-kit/commandLine/commandNames";
import { memoize } from "capz-windows-kit/memoize";
import { planFiles } from "../../plan/render/render";
import { clouds } from "../../plan/simulation";
import type { Values } from "pulumi-plan-engine";
import { readExamples } from "../components/pages/program";
import { PluginClient, startComponents } from "../support/componentPlugin";
import { planOf } from "../support/plans";
import { inCi, isThorough } from "capz-windows-test-kit/sample";
import { exampleFile, projectDir } from "../support/stacks";
import { commandIn, hasTypes, hookIn, installedIn, type Packed, packInto, read } from "./packed";
import { raisedVersion } from "./raisedVersion";

/** The npm package as its user has it: packed, unpacked, with a project beside it that `init` wrote. */

const dir = mkdtempSync(join(tmpdir(), "capz-windows-package-"));
const installed = installedIn(dir);
const project = join(dir, "capz-windows");
const hook = hookIn(dir);
const capzWindows = commandIn(dir);

interface Plan {
  readonly resources: readonly { readonly type: string; readonly name: string; readonly provider?: string }[];
  readonly outputs: Readonly<Record<string, unknown>>;
}

let packed: Packed | undefined;

beforeAll(() => {
  packed = packInto(dir);
  expect(capzWindows(dir, ["init", "capz-windows", "--yes"])).toEqual({
    status: 0,
    stdout: `Wrote Pulumi.yaml, Pulumi.dev.yaml, package.json, index.js, .gitignore to capz-windows. Next:

  cd capz-windows
  npm install
  npm start
`,
    stderr: "",
  });
  // Files of the user that an example names, relative to Pulumi.yaml.
  cpSync(join(projectDir, "docs"), join(project, "docs"), { recursive: true });
});

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** All files below a folder with their contents. */
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, read(folder, path)]),
  );

/** The files that the clone writes for a stack file. */
function ofClone(stack: string, file: string): Record<string, string> {
  const out = join(dir, "clone", stack);
  const args = ["--stack", stack, "--config-file", file, "--out", out];
  execFileSync(process.execPath, [join(projectDir, "scripts/plan.js"), ...args], { stdio: "pipe" });
  return filesOf(out);
}

const paths = (): string[] => packed?.files.map(({ path }) => path) ?? [];

it("has JavaScript, what this reads, and documents: no tests, no TypeScript, at most 3 MB", () => {
  const expected =
    /^(LICENSE|package\.json|(AGENTS|README|CHANGELOG|SECURITY)\.md|docs\/[\w/.-]+|examples\/(Pulumi\.[\w-]+\.yaml|pipelines\/[\w/-]+\.yml)|schema\/((plan|stack|doctor|preflight)\.schema|components|plugin)\.json|PulumiPlugin\.yaml|index\.(js|js\.map|d\.ts)|(program|components|config|bootstrap|capi|addons|older|commands|plan|packages)\/[\w/-]+\.(js|js\.map|d\.ts|ps1|sh|yaml|css|json))$/;
  expect(
    paths().filter((path) => !expected.test(path) || /^packages\/(?:test-kit|[^/]+\/test)\//.test(path)),
  ).toEqual([]);
  expect(paths()).toEqual(
    expect.arrayContaining([
      ...["index.js", "components/index.js", "packages/plan-engine/index.js"],
      ...["schema/stack.schema.json", "schema/components.json", "commands/package/bin.js", "docs/package.md"],
      ...["PulumiPlugin.yaml", "schema/plugin.json", "components/plugin.js"],
    ]),
  );
  expect(packed?.size).toBeLessThan(3_000_000);
});

(hasTypes ? it : it.skip)("has the types of all of it", () => {
  const untyped = paths().filter(
    (path) => path.endsWith(".js") && !paths().includes(path.replace(/js$/, "d.ts")),
  );
  expect(untyped).toEqual([]);
});

/** A plan without what Pulumi.yaml says of the program: JavaScript in the package, TypeScript in the clone. */
const ofProgram = ({ "plan.json": plan = "", ...files }: Record<string, string>): Record<string, string> => ({
  ...files,
  "plan.json": JSON.stringify(
    JSON.parse(plan, (key, value: unknown) => (key === "projectFile" ? undefined : value)),
  ),
});

/** Together they have every kind of file that the package carries. */
const planned = isThorough ? ["everything", "dockershim", "team-b"] : ["team-b"];
it.each(planned)("plans %s byte for byte as the clone does", async (stack) => {
  const file = join(projectDir, exampleFile(stack));
  // One by the clone's command, with the manifests that CI has; the others in this process, without them.
  const byCommand = stack === "everything";
  // Kubernetes 1.22 has had no patches for years, which is an error of a policy.
  const allowed = stack === "dockershim" ? ["--allow-policy-errors"] : [];
  const args = ["plan", "--stack", stack, "--config-file", file, ...allowed];
  const env = byCommand ? {} : { CAPZ_WINDOWS_MANIFEST_CACHE: undefined };
  const { status, stderr } = capzWindows(project, args, env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining("Error") as string });
  const files = filesOf(join(project, "rendered", stack));
  expect(Object.keys(files)).toContain("plan.json");
  const expected = byCommand ? ofClone(stack, file) : Object.fromEntries(planFiles(await planOf(stack)));
  expect(ofProgram(files)).toEqual(ofProgram(expected));
});

it("plans the stack that init wrote from any folder below, in a project of any name", () => {
  const answers = {
    "--cluster-name": "shop",
    "--subscription": "11111111-2222-4333-8444-555555555555",
    "--tenant": "11111111-2222-4333-8444-666666666666",
    "--location": "northeurope",
    "--windows": "2022,2025",
  };
  expect(capzWindows(dir, ["init", "my-clusters", "--yes", ...Object.entries(answers).flat()]).status).toBe(
    0,
  );
  const below = join(dir, "my-clusters/below");
  mkdirSync(below);
  const { status, stdout } = capzWindows(below, ["plan", "--stack", "dev"]);
  expect(status).toBe(0);
  expect(stdout).toContain("win2025");
  // The simulated IDs differ, because they depend on the name of the project.
  const clone = ofClone("dev", join(dir, "my-clusters/Pulumi.dev.yaml"));
  const files = filesOf(join(below, "rendered/dev"));
  const names = (all: Record<string, string>) =>
    (JSON.parse(all["plan.json"] ?? "") as Plan).resources
      .filter(({ type }) => type !== "pulumi:pulumi:Stack")
      .map(({ type, name }) => ({ type, name }));
  expect(Object.keys(files)).toEqual(Object.keys(clone));
  expect(names(files)).toEqual(names(clone));
});

inCi("compares the stack with a commit of the user's repository", () => {
  const cwd = join(dir, "my-clusters");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd,
      stdio: "pipe",
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "as init wrote it");
  // Where npm installs it; the other tests have it one folder above, and Node.js 22 and later keep what they compiled here.
  rmSync(join(cwd, "node_modules"), { recursive: true, force: true });
  symlinkSync(join(dir, "node_modules"), join(cwd, "node_modules"));
  const file = join(cwd, "Pulumi.dev.yaml");
  writeFileSync(file, read(file).replace("linux1: {}", "linux1: { replicas: 3 }"));
  const { status, stdout } = capzWindows(cwd, ["plan", "--stack", "dev", "--against", "main"]);
  expect(status).toBe(2);
  expect(stdout).toContain("Linux pool linux1 grows by 1 node to 3");
});

raisedVersion(dir);

it("plans resources of the user beside the stack, by its provider", () => {
  writeFileSync(
    join(project, "index.js"),
    `const stack = require("capz-windows");
const { StorageAccount } = require("@pulumi/azure-native/storage");

module.exports = () =>
  stack(({ azure, network }) => {
    const logs = new StorageAccount(
      "logs",
      {
        resourceGroupName: network.resourceGroupName,
        kind: "StorageV2",
        sku: { name: "Standard_LRS" },
      },
      { provider: azure },
    );
    return { logs: logs.id };
  });
`,
  );
  expect(capzWindows(project, ["plan", "--stack", "dev", "--out", "rendered/own"]).status).toBe(0);
  const { resources, outputs } = JSON.parse(read(project, "rendered/own/plan.json")) as Plan;
  expect(resources.filter(({ type }) => type === "azure-native:storage:StorageAccount")).toEqual([
    expect.objectContaining({ name: "logs", provider: expect.stringContaining("::azure") as string }),
  ]);
  expect(Object.keys(outputs)).toEqual(expect.arrayContaining(["logs", "apiServerHost", "nextSteps"]));
});

it("gives each entry that package.json exports", () => {
  const program = `
    const { WindowsPool } = require("capz-windows/components");
    const { plan } = require("capz-windows/plan-engine");
    const { title } = require("capz-windows/schema/stack.schema.json");
    console.log(typeof require("capz-windows"), typeof WindowsPool, typeof plan, title);`;
  const args = ["--require", hook, "--eval", program];
  expect(execFileSync(process.execPath, args, { cwd: project, encoding: "utf8" })).toBe(
    "function function function Stack file of capz-windows\n",
  );
});

it("is a plug-in for programs in other languages, without a compiler", async () => {
  const env = { ...process.env, NODE_OPTIONS: `--require ${hook} --max-old-space-size=256` };
  const plugin = await startComponents(dir, installed, env);
  const client = await PluginClient.connect(plugin, {
    ...{ projectDir: project, project: "theirs", stack: "dev", simulate: clouds },
  });
  try {
    const clone = JSON.parse(read(projectDir, "schema/plugin.json")) as object;
    const { version, description } = JSON.parse(read(projectDir, "package.json")) as Record<string, string>;
    expect(await client.schema()).toBe(JSON.stringify(Object.assign(clone, { version, description })));
    const type = "capz-windows:index:WindowsPool";
    const { properties } = readExamples().win2022!;
    const kubernetes = "urn:pulumi:dev::theirs::pulumi:providers:kubernetes::kubernetes::id";
    const { state } = await client.construct("win2022", type, properties as Values, { kubernetes });
    expect(state).toMatchObject({ firstNodes: ["win2022000000", "win2022000001"] });
    expect(client.resources.map((each) => each.type)).toContain(
      "kubernetes:infrastructure.cluster.x-k8s.io/v1beta1:AzureMachinePool",
    );
    // An error, of which Node.js must not make more than the memory that it has here.
    const sample = { allowedCidrs: ["192.0.2.1/32"], clusterIdentifier: "blue", kubeconfig: "none" };
    const refused = client.construct("sample", "capz-windows:index:SampleWorkload", sample, {});
    await expect(refused).rejects.toMatchObject({
      details:
        'error serializing property "kubeconfig": the kubeconfig is refused: it is not a mapping. A kubeconfig from a cluster may have one cluster with server and certificate-authority-data, and one user with client-certificate-data, client-key-data or token',
    });
  } finally {
    client.close();
    plugin.stop();
  }
});

const overview = memoize(() => capzWindows(project, ["--help"]).stdout);
it.each(isThorough ? ["init", ...commandNames] : ["init", "plan"])(
  "%s prints its help without a compiler",
  (name) => {
    const { status, stdout } = capzWindows(project, [name, "--help"]);
    expect({ status, usage: stdout.includes("\nExit codes:") }).toEqual({ status: 0, usage: true });
    expect(overview()).toContain(`\n  ${name} `);
    // One for npm's scripts is a message about them.
    expect(stdout).not.toMatch(/npm run/);
  },
);

it("refuses a wrong option as the clone does", () => {
  const { status, stdout, stderr } = capzWindows(project, ["plan", "--wrong", "--json"]);
  const error = "error: unknown option '--wrong'\nAll options: npx capz-windows plan --help";
  expect({ status, stderr }).toEqual({ status: 64, stderr: `${error}\n` });
  expect(JSON.parse(stdout)).toEqual({ version: 1, error, problems: [] });
});

inCi("prints commands and paths that work in this project", () => {
  // Where npm installs it; the other tests have it one folder above.
  cpSync(installed, join(project, "node_modules/capz-windows"), { recursive: true });
  const example = "node_modules/capz-windows/examples/Pulumi.prod.yaml";
  const { status, stderr } = capzWindows(project, ["plan", "--stack", "prod"]);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining(
      `write    --config-file ${example} # or: cp ${example} Pulumi.prod.yaml\n`,
    ) as string,
  });
  const schema = "# yaml-language-server: $schema=./node_modules/capz-windows/schema/stack.schema.json\n";
  expect(read(dir, example).startsWith(schema)).toBe(true);
  // Its own files are named so that they are found, and the example as a whole is a stack.
  const everything = example.replace("prod", "everything");
  const found = capzWindows(project, ["plan", "--config-file", everything, "--out", "rendered/x"]);
  expect({ status: found.status, stderr: found.stderr }).toEqual({
    status: 0,
    stderr: expect.not.stringContaining("problem") as string,
  });
  const objects = readdirSync(join(project, "rendered/x/management")).map(
    (name) => `rendered/x/management/${name}`,
  );
  expect(capzWindows(project, ["import", ...objects]).stdout).toContain(
    `${schema}# From ${objects.length} files, by npx capz-windows import.\n`,
  );
  rmSync(join(project, "node_modules"), { recursive: true });
});

it.each([
  {
    args: ["preflight", "--stack", "dev"],
    said: "The package @azure/identity, with which this command logs in to Azure, is not installed",
  },
  {
    args: ["doctor", "--stack", "dev", "--kubeconfig", "own.kubeconfig"],
    said: "The package @kubernetes/client-node, with which this command reads kubeconfigs and logs in to clusters, is not installed",
  },
])("says what to install for $args, because plans and deployments do not need it", ({ args, said }) => {
  // A clone has them, in the versions with which it is tested.
  const { dependencies } = JSON.parse(read(projectDir, "package.json")) as {
    dependencies: Record<string, string>;
  };
  const wanted = ["@azure/identity", "@kubernetes/client-node"].map(
    (name) => `${name}@${dependencies[name] ?? ""}`,
  );
  writeFileSync(join(project, "own.kubeconfig"), "kind: Config\n");
  const { status, stderr } = capzWindows(project, args);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `${said}, because plans and deployments do not need it.\nWrite: npm install --save-exact ${wanted.join(" ")}\n`,
  });
});

it("says which commands there are for one that is not there", () => {
  expect(capzWindows(project, ["plann"])).toEqual({
    status: 64,
    stdout: "",
    stderr: "error: unknown command 'plann' (Did you mean plan?)\nAll options: npx capz-windows --help\n",
  });
  expect(JSON.parse(capzWindows(project, ["plann", "--json"]).stdout)).toMatchObject({ problems: [] });
});
