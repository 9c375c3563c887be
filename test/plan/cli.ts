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
import { readArguments, UsageError } from "../../plan/arguments";
import { planJson } from "../../plan/render/planJson";
import { planOf } from "../support/plans";
import { testProject } from "../support/project";
import { leaks, marker } from "../support/secrets";
import { projectDir } from "../support/stacks";

const work = mkdtempSync(join(tmpdir(), "capz-windows-cli-"));
const project = testProject();
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
  project.remove();
});

/** Variables that hold secrets; a plan needs none of them. */
const credentials = [
  ...["ARM_CLIENT_SECRET", "ARM_ACCESS_KEY", "ARM_OIDC_TOKEN", "ARM_CLIENT_CERTIFICATE_PASSWORD"],
  ...["AZURE_CLIENT_SECRET", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN", "AWS_SECRET_ACCESS_KEY"],
  ...["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG", "KUBECONFIG", "KUBE_TOKEN"],
  ...["GITHUB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "HTTPS_PROXY", "NODE_AUTH_TOKEN"],
];

const plan = (args: readonly string[], dir = projectDir) =>
  spawnSync(
    process.execPath,
    ["--preserve-symlinks-main", "--preserve-symlinks", join(dir, "scripts/plan.js"), ...args],
    {
      cwd: work,
      encoding: "utf8",
      env: {
        ...process.env,
        // Without whole manifests, as the plans are that it is compared with.
        CAPZ_WINDOWS_MANIFEST_CACHE: undefined,
        ...Object.fromEntries(credentials.map((name) => [name, marker(name)])),
      },
    },
  );

/** Texts of what was written, by path. */
const filesIn = (out: string): Map<string, string> =>
  new Map(
    readdirSync(out, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.\w+$/.test(path))
      .map((path) => [path, readFileSync(join(out, path), "utf8")]),
  );

const resourcesIn = (out: string): unknown => JSON.parse(readFileSync(join(out, "plan.json"), "utf8"));

const resourcesOf = async (stack: string): Promise<unknown> =>
  JSON.parse(JSON.stringify(planJson(await planOf(stack))));

describe("npm run plan", () => {
  it("prints the tree, the counts, the warnings and where the files are", async () => {
    const out = join(work, "out");
    const { status, stdout, stderr } = plan(["--stack", "dev", "--out", out]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Plan of capz-windows, stack dev: \d+ resources in \d+ components\n/);
    expect(stdout).toMatch(/├─ network +VirtualNetwork {2}\(7 resources\)\n/);
    expect(stdout).toContain("MTU 1400");
    expect(stdout).toContain("https://dev-260f3e2b.westeurope.cloudapp.azure.com:6443");
    expect(stdout).toContain("Warnings\n  ! azure.subscriptionId: ");
    expect(stdout).toContain(`files in ${out}: management/ helm/ workload/ sample/ azure/ nodes/ plan.json`);
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
      "sample",
      "workload",
    ]);
    // What the other tests look at is what the command plans.
    expect(resourcesIn(out)).toEqual(await resourcesOf("dev"));
  });

  it("replaces an older plan, prints one format, writes the others, and nothing else comes between", async () => {
    const out = join(work, "out");
    expect(existsSync(join(out, "helm"))).toBe(true);
    writeFileSync(join(out, "notes.txt"), "of a user");
    const reports = ["a/plan.html", "a/plan.md", "plan.txt"].map((name) => join(work, name));
    const { status, stdout, stderr } = plan([
      ...["--stack", "existing", "--out", out, "--format", "json"],
      ...reports.flatMap((file) => ["--report", file]),
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, stacks: [{ stack: "existing" }] });
    const [page = "", comment = "", text = ""] = reports.map((file) => readFileSync(file, "utf8"));
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">[^]*<\/html>\n$/);
    expect(page).toContain("Managed identities");
    expect(comment).toMatch(/^## Plan\n/);
    expect(text).toMatch(/^Plan of capz-windows, stack existing: /);
    // The stack's secret, neither as its ciphertext nor as what the plan has in its place.
    const shown = [...filesIn(out).values(), stdout, stderr, page, comment, text];
    expect(shown.filter((each) => /replace-me-with-pulumi|not decrypted by the plan/.test(each))).toEqual([]);
    expect(readdirSync(join(work, "a")).sort()).toEqual(["plan.html", "plan.md"]);
    expect(resourcesIn(out)).toEqual(await resourcesOf("existing"));
    expect(readFileSync(join(out, "notes.txt"), "utf8")).toBe("of a user");
    expect(readdirSync(join(out, "nodes")).sort()).toEqual(["control-plane", "win1"]);
    expect(existsSync(join(out, "helm"))).toBe(false);
    expect(readdirSync(work).filter((name) => name.includes(".tmp"))).toEqual([]);
  });

  it.each([
    [["--format", "pdf"], "--format pdf: write one of text, markdown, json, html."],
    [["--report", "a.md", "--report", "a.pdf"], "--report a.pdf: end it in .txt, .md, .json or .html."],
  ])("refuses %j", (args, message) => {
    expect(() => readArguments(["--stack", "dev", ...args])).toThrow(new UsageError(message));
  });

  it("touches nothing that no plan wrote", () => {
    const file = join(work, "file");
    const folder = join(work, "folder");
    writeFileSync(file, "of a user");
    mkdirSync(folder);
    writeFileSync(join(folder, "plans.txt"), "of a user");
    for (const out of [file, folder]) {
      const { status, stdout, stderr } = plan(["--stack", "dev", "--out", out]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(/^--out .*(this is no folder|no plan wrote it)/);
    }
    expect(readFileSync(file, "utf8")).toBe("of a user");
    expect(readdirSync(folder)).toEqual(["plans.txt"]);
  });

  it.each([
    [[], 64, "--stack NAME"],
    [["--stak", "dev"], 64, "Unknown option '--stak'"],
    [["--help"], 0, "--stack NAME"],
  ])("explains itself for %j", (args, code, text) => {
    const { status, stderr } = plan(args);
    expect({ status, said: stderr.includes(text) }).toEqual({ status: code, said: true });
  });

  it("says which stacks there are", () => {
    const { status, stderr } = plan(["--stack", "nope"]);
    expect(status).toBe(1);
    expect(stderr).toBe(
      [
        "Pulumi.nope.yaml: 1 problem",
        "",
        "  Pulumi.nope.yaml",
        "    problem  there is no such file",
        "    allowed  a stack of: dev, dockershim, existing, prod",
        "    write    --stack with one of these, or a new Pulumi.nope.yaml",
        "",
      ].join("\n"),
    );
  });

  it("refuses a wrong stack file before it starts the program, without a stack trace, and writes nothing", () => {
    project.write(
      "Pulumi.wrong.yaml",
      "config:\n  capz-windows:clusterName: UPPER\n  capz-windows:colour: red\n",
    );
    const out = join(work, "wrong");
    const { status, stdout, stderr } = plan(["--stack", "wrong", "--out", out], project.dir);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^Pulumi\.wrong\.yaml: 5 problems\n/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(out)).toBe(false);
  });

  it("tells the line of a file that is no YAML, but not its text", () => {
    project.write("Pulumi.broken.yaml", "config:\n  key: 'PLANTED\n");
    const { status, stderr } = plan(["--stack", "broken"], project.dir);
    expect(status).toBe(1);
    expect(stderr).toContain("is not YAML");
    expect(stderr).not.toContain("PLANTED");
  });
});

it("the stack dev is under 25 lines", () => {
  expect(readFileSync(join(projectDir, "Pulumi.dev.yaml"), "utf8").trimEnd().split("\n").length).toBeLessThan(
    25,
  );
});
