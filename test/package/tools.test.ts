import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { projectDir } from "../support/stacks";
import { read } from "./packed";

/** Tools that have a package of their own: packed, and run in an empty folder that has their dependencies and nothing else. */

const dir = mkdtempSync(join(tmpdir(), "capz-windows-tools-"));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Packs a tool, and installs it where nothing of this repository is. @returns its folder */
function install(tool: string): string {
  const built = join(dir, "built", tool);
  execFileSync(process.execPath, [join(projectDir, "scripts/buildTool.js"), tool, "--out", built]);
  execFileSync("npm", ["pack", "--pack-destination", dir], {
    ...{ cwd: built, stdio: "ignore" },
    shell: process.platform === "win32",
  });
  const modules = join(dir, tool, "node_modules");
  const installed = join(modules, tool);
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", [
    ...["-xzf", join(dir, `${tool}-0.1.0.tgz`)],
    ...["--strip-components=1", "-C", installed],
  ]);
  const { dependencies } = JSON.parse(read(installed, "package.json")) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(projectDir, "node_modules", name), join(modules, name));
  }
  return installed;
}

/** Runs a tool in a folder that has nothing. */
function run(installed: string, args: readonly string[]) {
  const tool = JSON.parse(read(installed, "package.json")) as { bin: Readonly<Record<string, string>> };
  const [bin = ""] = Object.values(tool.bin);
  const empty = mkdtempSync(join(dir, "empty-"));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(installed, bin), ...args], {
    ...{ cwd: empty, encoding: "utf8", env: { PATH: process.env.PATH, HOME: empty, NO_COLOR: "1" } },
  });
  expect(readdirSync(empty)).toEqual([]);
  return { status, stdout, stderr };
}

/** What the script of a clone answers. */
const ofClone = (script: string, args: readonly string[]) =>
  spawnSync(process.execPath, [join(projectDir, "scripts", script), ...args], {
    ...{ encoding: "utf8", env: { PATH: process.env.PATH, NO_COLOR: "1" } },
  });

describe("capz-windows-doctor", () => {
  let installed = "";
  beforeAll(() => {
    installed = install("capz-windows-doctor");
  });

  it("has no file of the program, of plans or of tests", () => {
    expect(readdirSync(installed).sort()).toEqual(["LICENSE", "README.md", "package.json", "packages"]);
    expect(readdirSync(join(installed, "packages")).sort()).toEqual([
      ...["capz-types", "contract", "doctor", "kit", "platform"],
    ]);
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => /\.ts$|test/.test(file))).toEqual([]);
  });

  it("diagnoses a recording as the clone does, with its own name in commands", () => {
    const recorded = join(projectDir, "packages/doctor/test/recorded/quota-cores--pool.json");
    const { status, stdout, stderr } = run(installed, ["--from", recorded]);
    const expected = ofClone("doctor.js", ["--from", recorded]);
    expect({ status, stderr }).toEqual({ status: expected.status, stderr: "" });
    expect(stdout).toBe(
      expected.stdout
        .replaceAll("npm run doctor --", "npx capz-windows-doctor")
        .replace(/npm run (\w+) --/g, "npx capz-windows $1"),
    );
  });

  it("reads a live cluster by a kubeconfig, and says that one that is not there cannot be read", () => {
    const kubeconfig = join(dir, "kubeconfig");
    const cluster = { name: "c", cluster: { server: "https://127.0.0.1:9" } };
    const context = { name: "c", context: { cluster: "c", user: "u" } };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        ...{ apiVersion: "v1", kind: "Config", "current-context": "c" },
        ...{ clusters: [cluster], contexts: [context], users: [{ name: "u", user: { token: "t" } }] },
      }),
    );
    const { status, stdout, stderr } = run(installed, ["--kubeconfig", kubeconfig, "--cluster", "demo"]);
    expect({ status, stderr }).toEqual({ status: 3, stderr: "" });
    expect(stdout).toContain("ECONNREFUSED");
  });

  it("reads no stack files", () => {
    expect(run(installed, ["prod"])).toEqual({
      status: 64,
      stdout: "",
      stderr: `This package reads no stack files: name a cluster with --kubeconfig FILE --cluster NAME, or a recording with --from FILE.
All options: npx capz-windows-doctor --help
`,
    });
  });
});

describe("windows-workloads", () => {
  let installed = "";
  beforeAll(() => {
    installed = install("windows-workloads");
  });

  it("has no file of the program, of plans or of tests", () => {
    expect(readdirSync(join(installed, "packages")).sort()).toEqual([
      ...["capz-types", "contract", "doctor", "kit", "platform", "windows-workloads"],
    ]);
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    expect(files.filter((file) => /\.ts$|test/.test(file))).toEqual([]);
  });

  it("judges a folder for a release as the clone does", () => {
    const args = [join(projectDir, "docs/workloads"), "--release", "2022", "--offline"];
    const { status, stdout, stderr } = run(installed, args);
    const expected = ofClone("workloads.js", args);
    expect({ status, stderr }).toEqual({ status: expected.status, stderr: "" });
    expect(stdout).toContain("Windows Server 2022");
    expect(stdout).toBe(
      expected.stdout
        .replaceAll("npm run workloads --", "npx windows-workloads")
        .replace(/npm run (\w+) --/g, "npx capz-windows $1"),
    );
  });

  it.each([
    [["manifests"], "Name the nodes: --release YEAR"],
    [["manifests", "--stack", "prod"], "This package reads no stack files: name the release"],
  ])("%j names what it reads", (args, message) => {
    const { status, stderr } = run(installed, args);
    expect(stderr).toContain(message);
    expect(stderr).toContain("All options: npx windows-workloads --help");
    expect(status).toBe(64);
  });
});
