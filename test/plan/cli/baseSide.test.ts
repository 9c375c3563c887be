import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { compareStack } from "../../../plan/cli/compareStacks";
import type { StackComparison } from "../../../plan/impact/impact";
import { exitCode } from "../../../plan/cli/exitCode";
import { openBase } from "../../../plan/cli/baseSide";
import { planOfResources, resourceOf } from "../../support/planDocuments";
import { projectDir } from "../../support/stacks";

/** A project with a history, whose plan consists of a few lines that name the ref, the stack and its packages. */
const work = mkdtempSync(join(os.tmpdir(), "capz-windows-older-"));
const repository = join(work, "repository");
const project = join(repository, "infra");
/** Directory for temporary files, separate from that of tests that run at the same time. */
const temporary = join(work, "tmp");
mkdirSync(temporary);
const mocked = jest.spyOn(os, "tmpdir").mockReturnValue(temporary);
afterAll(() => {
  mocked.mockRestore();
  rmSync(work, { recursive: true, force: true });
});

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd: repository,
    encoding: "utf8",
  });

const write = (file: string, text: string): void => {
  writeFileSync(join(project, file), text);
};

const planScript = `
const { mkdirSync, writeFileSync, readFileSync } = require("node:fs");
const [, , , stack, , out, , file = "Pulumi." + stack + ".yaml"] = process.argv;
const text = readFileSync(__dirname + "/../" + file, "utf8");
if (text.includes("wrong")) { console.error("Pulumi." + stack + ".yaml: 1 problem"); process.exit(1); }
mkdirSync(out, { recursive: true });
const version = text.includes("future") ? 99 : 1;
writeFileSync(out + "/plan.json", JSON.stringify({ version, project: "p", stack, resources: [], outputs: {
  text, answer: require("answer") }, warnings: [] }));
`;

beforeAll(() => {
  for (const dir of ["scripts", "examples", "node_modules/answer"]) {
    mkdirSync(join(project, dir), { recursive: true });
  }
  execFileSync("git", ["init", "-q", "-b", "main", repository]);
  writeFileSync(join(repository, ".gitignore"), "node_modules\n");
  write("node_modules/answer/index.js", "module.exports = 42;");
  git("add", "-A");
  git("commit", "-qm", "before there was a plan", "--allow-empty");
  git("tag", "first");
  write("scripts/plan.js", planScript);
  write("package-lock.json", "{}");
  write("Pulumi.yaml", "name: p\n");
  write("Pulumi.a.yaml", "config: {of: main}\n");
  write("Pulumi.wrong.yaml", "wrong\n");
  write("Pulumi.future.yaml", "future\n");
  write("examples/Pulumi.e.yaml", "config: {of: an example}\n");
  git("add", "-A");
  git("commit", "-qm", "a plan");
  write("Pulumi.a.yaml", "config: {of: work tree}\n");
});

const leftOver = (): string[] => readdirSync(temporary).filter((name) => name.startsWith("capz-windows-"));

const trees = (): number => git("worktree", "list").trim().split("\n").length;

describe("a git ref", () => {
  it("uses the repository of the project, also in a hook, for which git sets another index", () => {
    const index = join(work, "index-of-a-commit");
    copyFileSync(join(repository, ".git/index"), index);
    const before = readFileSync(index);
    Object.assign(process.env, {
      GIT_INDEX_FILE: index,
      GIT_DIR: join(repository, ".git"),
      GIT_PREFIX: "x/",
    });
    try {
      openBase(project, "main", { stacks: ["a"] }).remove();
    } finally {
      for (const name of ["GIT_INDEX_FILE", "GIT_DIR", "GIT_PREFIX"]) {
        Reflect.deleteProperty(process.env, name);
      }
    }
    expect(readFileSync(index).equals(before)).toBe(true);
    expect(git("status", "--porcelain", "--untracked-files=no")).toBe(" M infra/Pulumi.a.yaml\n");
    expect(leftOver()).toEqual([]);
  });

  it("is refused in git's own words where the repository belongs to another user", () => {
    Object.assign(process.env, { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1", GIT_CONFIG_COUNT: "0" });
    try {
      expect(() => openBase(project, "main", { stacks: ["a"] })).toThrow(
        /^--against main: fatal: detected dubious ownership in repository at .*\n.*\n.*git config --global --add safe\.directory /s,
      );
    } finally {
      Reflect.deleteProperty(process.env, "GIT_TEST_ASSUME_DIFFERENT_OWNER");
      process.env.GIT_CONFIG_COUNT = "1";
    }
  });

  it("is planned by its own program from its own files, and leaves nothing behind", async () => {
    const base = openBase(project, "main", { stacks: ["a"] });
    try {
      expect(base.label).toMatch(/^main \([0-9a-f]{7}\)$/);
      expect(base.stacks).toEqual(["a", "future", "wrong"]);
      expect((await base.plan("a"))?.outputs).toEqual({ text: "config: {of: main}\n", answer: 42 });
      expect(await base.plan("nope")).toBeUndefined();
      expect(trees()).toBe(2);
    } finally {
      base.remove();
    }
    expect({ trees: trees(), left: leftOver() }).toEqual({ trees: 1, left: [] });
  });

  it("may contain a symbolic link node_modules, which is replaced by the packages", async () => {
    write("target", "/nowhere");
    const blob = git("hash-object", "-w", "infra/target").trim();
    git("update-index", "--add", "--cacheinfo", `120000,${blob},infra/node_modules`);
    git("tag", "linked", git("commit-tree", "-m", "a link", "-p", "main", git("write-tree").trim()).trim());
    git("reset", "-q");
    rmSync(join(project, "target"));
    const base = openBase(project, "linked", { stacks: ["a"] });
    try {
      expect((await base.plan("a"))?.outputs).toMatchObject({ answer: 42 });
    } finally {
      base.remove();
    }
  });

  it("is planned with the stack file that --config-file names, if it has that file", async () => {
    const configFile = "examples/Pulumi.e.yaml";
    const base = openBase(project, "main", { stacks: ["e"], configFile });
    const without = openBase(project, "main", { stacks: ["e"], configFile: "examples/Pulumi.new.yaml" });
    try {
      expect(base.stacks).toEqual(["e"]);
      expect((await base.plan("e"))?.outputs).toEqual({ text: "config: {of: an example}\n", answer: 42 });
      expect(without.stacks).toEqual([]);
      expect(await without.plan("e")).toBeUndefined();
    } finally {
      base.remove();
      without.remove();
    }
  });

  it("cannot have a --config-file outside of the project", () => {
    const configFile = "../Pulumi.a.yaml";
    expect(() => openBase(project, "main", { stacks: ["a"], configFile })).toThrow(
      new Error(
        "--config-file ../Pulumi.a.yaml: this file is outside of the project, so no git ref has it. Compare it with a plan.json.",
      ),
    );
    expect(trees()).toBe(1);
  });

  it("fails with a message if its own rules refuse a stack, or its plan.json has an unknown version", async () => {
    const base = openBase(project, "main", { stacks: ["wrong"] });
    try {
      await expect(base.plan("wrong")).rejects.toThrow(
        /^Stack wrong cannot be planned at main \([0-9a-f]{7}\):\n\nPulumi\.wrong\.yaml: 1 problem$/,
      );
      await expect(base.plan("future")).rejects.toThrow(
        /plan\.json has version 99; this program reads 1 and 2\. Plan both sides with the same release\.$/,
      );
    } finally {
      base.remove();
    }
  });

  it.each([
    [
      "nope",
      /^--against nope: there is no such git ref, and no such file\. In a shallow clone fetch it first: /,
    ],
    ["nope.json", /^--against nope\.json: there is no such file\.$/],
    ["first", /^--against first: that commit has no plan \(scripts\/plan\.js\)\. Name a later one\.$/],
    ["--upload-pack=x", /^--against --upload-pack=x: there is no such git ref/],
  ])("%s is refused in words for people", (against, message) => {
    expect(() => openBase(project, against, { stacks: ["a"] })).toThrow(message);
    expect({ trees: trees(), left: leftOver() }).toEqual({ trees: 1, left: [] });
  });

  it("gets packages of its own if its lock file differs", () => {
    write("package-lock.json", '{"other": true}');
    try {
      // The lock file of this project is not a real one, so npm refuses it.
      expect(() => openBase(project, "main", { stacks: ["a"] })).toThrow(/^npm ci failed for the older side/);
      expect(trees()).toBe(1);
    } finally {
      write("package-lock.json", "{}");
    }
  });

  it("is removed when the program is interrupted", async () => {
    const script = `
      require(${JSON.stringify(join(projectDir, "scripts/typescript.js"))});
      const { addWorkTree } = require(${JSON.stringify(join(projectDir, "plan/cli/workTree.ts"))});
      const tree = addWorkTree(${JSON.stringify(project)}, "main");
      process.stdout.write(tree.label);
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ["-e", script], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [label] = (await once(child.stdout, "data")) as [Buffer];
      expect(label.toString()).toContain("main (");
      expect(leftOver()).toHaveLength(1);
      child.kill("SIGINT");
      const [, signal] = (await once(child, "exit")) as [number | null, string | null];
      expect({ signal, left: leftOver(), trees: trees() }).toEqual({ signal: "SIGINT", left: [], trees: 1 });
    } finally {
      child.kill("SIGKILL");
    }
  });
});

describe("a file", () => {
  const plan = JSON.stringify({ ...planOfResources(), stack: "a" });

  it("is one plan, and a directory is one or several", async () => {
    mkdirSync(join(work, "plans/a"), { recursive: true });
    writeFileSync(join(work, "plans/a/plan.json"), plan);
    for (const against of ["plans/a/plan.json", "plans/a", "plans"]) {
      const base = openBase(project, join(work, against), { stacks: ["a", "b"] });
      expect((await base.plan("a"))?.stack).toBe("a");
    }
    expect(await openBase(project, join(work, "plans"), { stacks: ["a", "b"] }).plan("b")).toBeUndefined();
    expect(() => openBase(project, join(work, "plans/a"), { stacks: ["b"] }).plan("b")).toThrow(
      `${join(work, "plans/a/plan.json")} is a plan of the stack a, not of b. A git ref has every stack.`,
    );
  });

  it.each(["utf8", "utf16le"] as const)("may begin with a byte order mark of %s", async (encoding) => {
    writeFileSync(join(work, "marked.json"), `\ufeff${plan}`, encoding);
    const base = openBase(project, join(work, "marked.json"), { stacks: ["a"] });
    expect((await base.plan("a"))?.stack).toBe("a");
  });

  it.each([
    ["{", "is no JSON"],
    ["[]", "is no plan"],
    ['{"version": 2, "resources": [{"urn": 1}], "stack": "a"}', "is damaged"],
    ['{"resources": []}', "has version undefined"],
  ])("%s is refused", (text, problem) => {
    writeFileSync(join(work, "bad.json"), text);
    expect(() => openBase(project, join(work, "bad.json"), { stacks: ["a"] })).toThrow(problem);
  });
});

describe("exit codes", () => {
  const one = planOfResources(resourceOf("t:t:T", "x", { a: 1 }));
  const other = planOfResources(resourceOf("t:t:T", "x", { a: 2 }));
  const side = (document = one) => ({ document });
  const failure = { failure: "Pulumi.s.yaml: 1 problem" };
  const compared: Readonly<Record<string, StackComparison>> = {
    same: compareStack("s", "x", side(), side()),
    changed: compareStack("s", "x", side(), side(other)),
    new: compareStack("s", "x", {}, side()),
    removed: compareStack("s", "x", side(), {}),
    failed: compareStack("s", "x", failure, side()),
    deleted: compareStack("s", "x", side(), side(planOfResources())),
  };

  it.each([
    ["same", "compared", 0, 0],
    ["changed", "compared", 2, 0],
    ["new", "new", 2, 0],
    ["removed", "removed", 3, 3],
    ["deleted", "compared", 3, 3],
    ["failed", "failed", 1, 1],
  ] as const)("%s: status %s, %i, and %i with --fail-on destructive", (name, status, any, destructive) => {
    const comparison = compared[name]!;
    expect(comparison.status).toBe(status);
    expect([exitCode([comparison]), exitCode([comparison], "destructive")]).toEqual([any, destructive]);
  });

  it("are those of the worst stack, and a failure is worse than a deletion", () => {
    const { same, changed, deleted, failed } = compared;
    expect(exitCode([same!, changed!])).toBe(2);
    expect(exitCode([changed!, deleted!, same!])).toBe(3);
    expect(exitCode([deleted!, failed!])).toBe(1);
  });

  it("the reports of both sides are kept if neither can be planned", () => {
    expect(compareStack("s", "x", failure, { failure: "and this" })).toMatchObject({
      failure: "Pulumi.s.yaml: 1 problem\n\nand this",
      changes: [],
      impacts: [],
    });
  });
});
