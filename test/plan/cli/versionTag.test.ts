import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { UsageError } from "../../../commands/commandLine/arguments";
import { readArguments } from "../../../commands/plan/cli/arguments";
import { openVersion } from "../../../commands/plan/cli/baseSide";
import { tinyPlan } from "../../support/packages";

/** `--against-version` in a clone, whose versions are git tags. */

const work = realpathSync(mkdtempSync(join(tmpdir(), "capz-windows-tags-")));

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(work, file)), { recursive: true });
  writeFileSync(join(work, file), text);
};

afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

describe("in a clone", () => {
  const clone = join(work, "clone");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: clone,
      stdio: "pipe",
    });
  const planScript = (version: string): string =>
    tinyPlan(version)
      .replace("[, , , , stack", "[, , , stack")
      .replace('require(process.cwd() + "/index.js")', 'readFileSync("docs/policy.yaml", "utf8")');
  const wanted = { stacks: ["a", "new"] };

  it("is refused without a repository, and without the tag", async () => {
    write("clone/scripts/plan.js", planScript("old"));
    await expect(openVersion(clone, "0.1.0", wanted)).rejects.toThrow(
      new Error(
        "--against-version 0.1.0: the project is in no git repository (or git is missing), and the versions of a clone are git tags.",
      ),
    );
    write("clone/Pulumi.yaml", "name: p\n");
    write("clone/package.json", '{"version": "0.1.0"}');
    write("clone/Pulumi.a.yaml", "of: the tag\n");
    write("clone/Pulumi.gone.yaml", "of: the tag\n");
    write("clone/docs/policy.yaml", "of the tag");
    write("clone/.gitignore", "node_modules\n");
    mkdirSync(join(clone, "node_modules"));
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "old");
    await expect(openVersion(clone, "0.1.0", wanted)).rejects.toThrow(
      new Error(
        "--against-version 0.1.0: this repository has no tag v0.1.0. It has no tag of a version. Fetch those of its remote: git fetch --tags",
      ),
    );
    git("tag", "v0.1.0");
    git("tag", "v0.2.0");
    await expect(openVersion(clone, "latest", wanted)).rejects.toThrow(
      new Error(
        "--against-version latest: this repository has no tag vlatest. It has v0.2.0, v0.1.0. Fetch those of its remote: git fetch --tags",
      ),
    );
  });

  it("plans the stack files as they are, and the files that they name, with the program of the tag", async () => {
    write("clone/scripts/plan.js", planScript("new"));
    rmSync(join(clone, "Pulumi.gone.yaml"));
    const stack = "config:\n  capz-windows:controlPlane: { audit: { policyFile: docs/policy.yaml } }\n";
    write("clone/Pulumi.a.yaml", stack);
    write("clone/Pulumi.new.yaml", "config: {}\n");
    write("clone/docs/policy.yaml", "of the user");
    const base = await openVersion(clone, "0.1.0", wanted);
    try {
      expect(base.label).toMatch(/^version 0\.1\.0 \([0-9a-f]{7}\)$/);
      expect(base.stacks).toEqual(["a", "new"]);
      expect(await base.plan("a")).toMatchObject({
        program: "0.1.0",
        outputs: { text: stack, version: "old", own: "of the user" },
      });
    } finally {
      base.remove();
    }
    expect(git("worktree", "list").toString().trim().split("\n")).toHaveLength(1);
  });
});

it.each([
  [
    ["--against", "main", "--against-version", "0.1.0"],
    "--against and --against-version exclude each other.",
  ],
  [
    ["--against-version", "0.1"],
    "--against-version 0.1: write a version such as 0.1.0, a tag of the registry such as latest, or a .tgz file.",
  ],
  [
    ["--against-version", "^0.1.0"],
    "--against-version ^0.1.0: write a version such as 0.1.0, a tag of the registry such as latest, or a .tgz file.",
  ],
])("refuses %j", (args, message) => {
  expect(() => readArguments(["--stack", "dev", ...args])).toThrow(new UsageError(message));
});
