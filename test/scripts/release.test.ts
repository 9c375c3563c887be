import { execFile, execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { toolFolders } from "../../scripts/bundle";
import { notReady, tagMessage, withAbsoluteLinks } from "../../scripts/release";
import { fakeRegistry } from "../support/packages";
import { linkModules } from "../support/linkedModules";
import { inCi } from "capz-windows-test-kit/sample";
import { projectDir } from "../support/stacks";

const changelog = `# Changelog

Introduction.

## Unreleased

### Rolls machines

Nothing.

## 0.1.0 - 2026-11-30

The first one.

### Rolls machines

- Pools with [a link](docs/mtu.md), [another](https://example.com) and [here](#mtu).

### Added

- A key.
`;

const right = {
  wanted: "0.1.0",
  manifest: { name: "capz-windows", version: "0.1.0" },
  changelog,
  changed: [],
  tags: ["v0.0.9"],
  pages: { "README.md": "npx --package ./capz-windows-0.1.0.tgz, capz-windows@0.1.0" },
  repository: "https://github.com/o/r",
  tools: [{ name: "capz-windows-doctor", version: "0.1.0" }],
};

const dir = mkdtempSync(join(tmpdir(), "capz-windows-release-"));

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

describe("a release", () => {
  it("is ready when nothing is missing", () => {
    expect(notReady(right)).toEqual([]);
  });

  it("is refused for everything that is not ready, at once", () => {
    const wrong = {
      wanted: "0.3.0",
      manifest: { ...right.manifest, version: "0.2.0", private: true },
      changelog: changelog.replace("Nothing.", "- A pool.").replace("0.1.0 - 2026-11-30", "0.2.0"),
      changed: ["a", "b", "c", "d", "e", "f"],
      tags: ["v0.2.0"],
      pages: right.pages,
      repository: undefined,
      tools: right.tools,
    };
    expect(notReady(wrong)).toEqual([
      "package.json has the version 0.2.0, and 0.3.0 is to be released.",
      "Not committed: a, b, c, d, e, 6 in all.",
      'CHANGELOG.md has no section "0.2.0 - YYYY-MM-DD".',
      "CHANGELOG.md has entries below Unreleased, and this commit has what they say: move them below 0.2.0.",
      "The tag v0.2.0 exists: raise the version.",
      "The package is private: npm publishes no such package.",
      "The repository, which provenance names, is not known: --repository https://github.com/OWNER/NAME.",
      "capz-windows-doctor has the version 0.1.0, and 0.2.0 is to be released.",
      "README.md names the version 0.1.0 of the package, which is 0.2.0.",
      "README.md names the version 0.1.0 of the package, which is 0.2.0.",
    ]);
  });

  it("has a tag that says which machines roll, and notes whose links work on GitHub", () => {
    const section = changelog.slice(changelog.indexOf("The first"));
    expect(tagMessage(right.manifest, section, "1a2b  capz-windows-0.1.0.tgz\n")).toBe(`capz-windows 0.1.0

Rolls machines:

- Pools with [a link](docs/mtu.md), [another](https://example.com) and [here](#mtu).

SHA256:

1a2b  capz-windows-0.1.0.tgz
`);
    expect(withAbsoluteLinks(section, "https://github.com/o/r/blob/v0.1.0")).toContain(
      "[a link](https://github.com/o/r/blob/v0.1.0/docs/mtu.md), [another](https://example.com) and [here](#mtu)",
    );
  });
});

describe("publishing", () => {
  const out = join(dir, "publish");
  const tarball = "a-b-0.1.0.tgz";
  /** What npm says of `a-b@0.1.0`, and its exit code. */
  const npmHas = (answer: string, code: number) => {
    writeFileSync(
      join(dir, "view"),
      `test "$2" = a-b@0.1.0 || exit 9\nprintf '%s' '${answer}'\nexit ${code}\n`,
    );
  };
  const inWorkflow = { GITHUB_ACTIONS: "true", ACTIONS_ID_TOKEN_REQUEST_URL: "https://example.com" };
  const publish = (env: NodeJS.ProcessEnv) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(projectDir, "scripts/release.js"), "--out", out],
      { encoding: "utf8", env: { PATH: `${dir}${delimiter}${process.env.PATH ?? ""}`, ...env } },
    );
    return { status, stdout, stderr };
  };

  beforeAll(() => {
    mkdirSync(out);
    // Answers `npm view` with what is in the file `view`.
    const npm = '#!/bin/sh\nif [ "$1" = view ]; then . "$(dirname "$0")/view"; fi\necho "npm $*"\n';
    writeFileSync(join(dir, "npm"), npm, { mode: 0o755 });
    writeFileSync(join(out, tarball), "a");
    const sum = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
    writeFileSync(join(out, "SHA256SUMS"), `${sum}  ${tarball}\n`);
  });

  it("is refused outside of the workflow", () => {
    const refused = {
      status: 1,
      stdout: "",
      stderr: `Not ready, nothing was published:
- Only the workflow release.yml publishes: npm trusts it. Here: npm run release -- --dry-run
`,
    };
    expect(publish({})).toEqual(refused);
    expect(publish({ GITHUB_ACTIONS: "true" })).toEqual(refused);
  });

  it("says which options there are for one that is none", () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(projectDir, "scripts/release.js"), "--wrong"],
      { encoding: "utf8" },
    );
    expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
    expect(stderr).toMatch(
      /^Unknown option '--wrong'.*\nAll options: npm run release -- \[--dry-run\] \[--out FOLDER\] \[--repository URL\] \[--version VERSION\]\n$/,
    );
  });

  it.each([
    ["no such package", '{"error":{"code":"E404"}}', 1],
    ["no such version", "", 0],
  ])("takes the files of the dry run, with provenance: %s", (_case, answer, code) => {
    npmHas(answer, code);
    expect(publish(inWorkflow)).toEqual({
      status: 0,
      stdout: `npm publish ${join(out, tarball)} --provenance --access public\n\nPublished.\n`,
      stderr: "",
    });
  });

  it("leaves out what a run that stopped has published", () => {
    const integrity = `sha512-${createHash("sha512").update("a").digest("base64")}`;
    npmHas(JSON.stringify(integrity), 0);
    expect(publish(inWorkflow)).toEqual({
      status: 0,
      stdout: `npm has this ${tarball} already.\nPublished.\n`,
      stderr: "",
    });
  });

  it.each([
    ["another file", '"sha512-AAAA"', 0, `npm has another ${tarball}: raise the version.`],
    ["no answer", "", 1, `npm does not say whether it has ${tarball}: no code.`],
    ["no JSON", "<html>", 0, `npm does not say whether it has ${tarball}: no code.`],
    ["a failure", '{"error":{"code":"E500"}}', 1, `npm does not say whether it has ${tarball}: E500.`],
  ])("publishes nothing when npm has or says something else: %s", (_case, answer, code, problem) => {
    npmHas(answer, code);
    expect(publish(inWorkflow)).toEqual({
      status: 1,
      stdout: "",
      stderr: `Not ready, nothing was published:\n- ${problem}\n`,
    });
  });

  it("refuses other files", () => {
    writeFileSync(join(out, tarball), "b");
    expect(publish(inWorkflow)).toEqual({
      status: 1,
      stdout: "",
      stderr: `Not ready, nothing was published:\n- ${out} has not the files whose hashes are in SHA256SUMS.\n`,
    });
  });
});

/** The commands of the first block of a section. */
const commandsOf = (page: string, from: string): string =>
  /^```sh\n(.*?)^```/ms.exec(page.slice(page.indexOf(from)))?.[1] ?? "";

describe("a dry run in a clone", () => {
  const clone = join(dir, "clone");
  const release = join(clone, "release");
  const bin = { "capz-windows": "commands/package/bin.js" };
  const registry = fakeRegistry(release, { "capz-windows": ["0.1.0"] }, { bin });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: clone,
      encoding: "utf8",
    });

  let address = "";
  beforeAll(async () => {
    address = await registry.start();
  });
  afterAll(() => {
    registry.stop();
  });

  /** Runs commands as someone who has npm, and the registry of this machine. */
  const run = async (cwd: string, commands: string): Promise<string> => {
    const env = {
      PATH: process.env.PATH,
      HOME: dir,
      // In place of the packages that npm would download.
      NODE_PATH: join(projectDir, "node_modules"),
      NO_COLOR: "1",
      npm_config_registry: address,
      npm_config_cache: join(dir, "cache"),
      npm_config_audit: "false",
      npm_config_fund: "false",
    };
    return (await promisify(execFile)("bash", ["-e", "-c", commands], { cwd, env })).stdout;
  };

  inCi("packs the package with its notes and hashes, and says what it has not checked", () => {
    // Without tests, which the package has not, and stack files beside Pulumi.yaml, which are the user's.
    // The Node.js versions of CI run in a copy without Git, so nothing is asked of it.
    const isLeft = /^(?:\.git|\.cache|node_modules|test|dist|release|reports|rendered|Pulumi\.\w+\.yaml)$/;
    const entries = readdirSync(projectDir).filter((each) => !isLeft.test(each));
    for (const each of entries) {
      cpSync(join(projectDir, each), join(clone, each), { recursive: true });
    }
    linkModules(clone);
    writeFileSync(join(clone, "CHANGELOG.md"), changelog);
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "As it is");

    const args = ["scripts/release.js", "--dry-run", "--untyped", "--repository", "https://github.com/o/r"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(
      `Not checked: whether check.yml has passed on ${git("rev-parse", "HEAD").trim()};`,
    );
    execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: release });
    const tarballs = readdirSync(release).filter((name) => name.endsWith(".tgz"));
    expect(tarballs).toEqual(
      [...["capz-windows", ...toolFolders.keys()]].map((name) => `${name}-0.1.0.tgz`).sort(),
    );
    for (const name of tarballs) {
      const args = ["-xzOf", name, "package/package.json"];
      const manifest = JSON.parse(execFileSync("tar", args, { cwd: release, encoding: "utf8" })) as object;
      expect(manifest).toMatchObject({
        version: "0.1.0",
        publishConfig: { access: "public", provenance: true },
        repository: { url: "git+https://github.com/o/r.git" },
      });
      expect(manifest).not.toHaveProperty("private");
    }
    expect(readFileSync(join(release, "notes.md"), "utf8")).toMatch(
      /^The first one\.\n\n### Rolls machines\n/,
    );
  });

  inCi("has a first page whose commands work", async () => {
    const args = ["-xzOf", "capz-windows-0.1.0.tgz", "package/README.md"];
    const page = execFileSync("tar", args, { cwd: release, encoding: "utf8" });
    expect(page).toContain("](https://github.com/o/r/raw/v0.1.0/docs/pictures/plan.png)");
    expect(await run(dir, commandsOf(page, ""))).toContain("Planned without a cloud");
  });

  inCi("has the page by which a stack of the clone moves there unchanged", async () => {
    copyFileSync(join(clone, "examples/Pulumi.prod.yaml"), join(clone, "Pulumi.prod.yaml"));
    const move = commandsOf(readFileSync(join(clone, "docs/package.md"), "utf8"), "## From a clone");
    // What follows asks Pulumi.
    const [untilPulumi = ""] = move.split("npx pulumi ");
    expect(untilPulumi).toContain("--against former.json");
    // It ends with 2, because the package runs JavaScript.
    const planned = untilPulumi.replace(/(--against former.json).*/, "$1 || echo ended with $?");
    const said = await run(clone, planned);
    expect(said).toContain(
      "prod: no resource changes, only Pulumi.yaml: main, Pulumi.yaml: runtime.options.tsconfig and Pulumi.yaml: runtime.options.typescript\n",
    );
    expect(said).toContain("ended with 2\n");
  });
});
