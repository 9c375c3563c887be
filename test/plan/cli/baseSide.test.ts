import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openBase } from "../../../plan/cli/baseSide";
import { planOfResources } from "../../support/planDocuments";
import { projectDir } from "../../support/stacks";
import { using } from "./opened";

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

/** Looks again until it is so; the time limit of the test ends it. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await sleep(20);
  }
}

/** A process that its parent has not waited for is a zombie: it has ended, and its number is still known. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  return /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

const trees = (): number => git("worktree", "list").trim().split("\n").length;

describe("a git ref", () => {
  it("uses the repository of the project, also in a hook, for which git sets another index", async () => {
    const index = join(work, "index-of-a-commit");
    copyFileSync(join(repository, ".git/index"), index);
    const before = readFileSync(index);
    Object.assign(process.env, {
      GIT_INDEX_FILE: index,
      GIT_DIR: join(repository, ".git"),
      GIT_PREFIX: "x/",
    });
    try {
      (await openBase(project, "main", { stacks: ["a"] })).remove();
    } finally {
      for (const name of ["GIT_INDEX_FILE", "GIT_DIR", "GIT_PREFIX"]) {
        Reflect.deleteProperty(process.env, name);
      }
    }
    expect(readFileSync(index).equals(before)).toBe(true);
    expect(git("status", "--porcelain", "--untracked-files=no")).toBe(" M infra/Pulumi.a.yaml\n");
    expect(leftOver()).toEqual([]);
  });

  it("is refused in git's own words where the repository belongs to another user", async () => {
    Object.assign(process.env, { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1", GIT_CONFIG_COUNT: "0" });
    try {
      await expect(openBase(project, "main", { stacks: ["a"] })).rejects.toThrow(
        /^--against main: fatal: detected dubious ownership in repository at .*\n.*\n.*git config --global --add safe\.directory /s,
      );
    } finally {
      Reflect.deleteProperty(process.env, "GIT_TEST_ASSUME_DIFFERENT_OWNER");
      process.env.GIT_CONFIG_COUNT = "1";
    }
  });

  it("is planned by its own program from its own files, and leaves nothing behind", async () => {
    await using(openBase(project, "main", { stacks: ["a"] }), async (base) => {
      expect(base.label).toMatch(/^main \([0-9a-f]{7}\)$/);
      expect(base.stacks).toEqual(["a", "future", "wrong"]);
      expect((await base.plan("a"))?.outputs).toEqual({ text: "config: {of: main}\n", answer: 42 });
      expect(await base.plan("nope")).toBeUndefined();
      expect(trees()).toBe(2);
    });
    expect({ trees: trees(), left: leftOver() }).toEqual({ trees: 1, left: [] });
  });

  it("may contain a symbolic link node_modules, which is replaced by the packages", async () => {
    write("target", "/nowhere");
    const blob = git("hash-object", "-w", "infra/target").trim();
    git("update-index", "--add", "--cacheinfo", `120000,${blob},infra/node_modules`);
    git("tag", "linked", git("commit-tree", "-m", "a link", "-p", "main", git("write-tree").trim()).trim());
    git("reset", "-q");
    rmSync(join(project, "target"));
    await using(openBase(project, "linked", { stacks: ["a"] }), async (base) => {
      expect((await base.plan("a"))?.outputs).toMatchObject({ answer: 42 });
    });
  });

  it("is planned with the stack file that --config-file names, if it has that file", async () => {
    const configFile = "examples/Pulumi.e.yaml";
    const base = await openBase(project, "main", { stacks: ["e"], configFile });
    const without = await openBase(project, "main", {
      stacks: ["e"],
      configFile: "examples/Pulumi.new.yaml",
    });
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

  it("cannot have a --config-file outside of the project", async () => {
    const configFile = "../Pulumi.a.yaml";
    await expect(openBase(project, "main", { stacks: ["a"], configFile })).rejects.toThrow(
      new Error(
        "--config-file ../Pulumi.a.yaml: this file is outside of the project, so no git ref has it. Compare it with a plan.json.",
      ),
    );
    expect(trees()).toBe(1);
  });

  it("fails with a message if its own rules refuse a stack, or its plan.json has an unknown version", async () => {
    await using(openBase(project, "main", { stacks: ["wrong"] }), async (base) => {
      await expect(base.plan("wrong")).rejects.toThrow(
        /^Stack wrong cannot be planned at main \([0-9a-f]{7}\):\n\nPulumi\.wrong\.yaml: 1 problem$/,
      );
      await expect(base.plan("future")).rejects.toThrow(
        /plan\.json has version 99; this program reads 1 and 2\. Plan both sides with the same release\.$/,
      );
    });
  });

  it.each([
    [
      "nope",
      /^--against nope: there is no such git ref, and no such file\. In a shallow clone fetch it first: /,
    ],
    ["nope.json", /^--against nope\.json: there is no such file\.$/],
    ["first", /^--against first: that commit has no plan \(scripts\/plan\.js\)\. Name a later one\.$/],
    ["--upload-pack=x", /^--against --upload-pack=x: there is no such git ref/],
  ])("%s is refused in words for people", async (against, message) => {
    await expect(openBase(project, against, { stacks: ["a"] })).rejects.toThrow(message);
    expect({ trees: trees(), left: leftOver() }).toEqual({ trees: 1, left: [] });
  });

  it("gets packages of its own if its lock file differs", async () => {
    write("package-lock.json", '{"other": true}');
    try {
      // The lock file of this project is not a real one, so npm refuses it.
      await expect(openBase(project, "main", { stacks: ["a"] })).rejects.toThrow(
        /^npm ci failed for the older side/,
      );
      expect(trees()).toBe(1);
    } finally {
      write("package-lock.json", "{}");
    }
  });

  /** Starts a process that adds a work tree, prints its label and stays. */
  function another(env: NodeJS.ProcessEnv = {}) {
    const script = `
      require(${JSON.stringify(join(projectDir, "scripts/typescript.js"))});
      const { addWorkTree } = require(${JSON.stringify(join(projectDir, "plan/cli/workTree.ts"))});
      addWorkTree(${JSON.stringify(project)}, "main").then((tree) => process.stdout.write(tree.label));
      setInterval(() => undefined, 1000);`;
    return spawn(process.execPath, ["-e", script], {
      env: { ...process.env, TMPDIR: temporary, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
  }

  it("is removed when the program is interrupted", async () => {
    const child = another();
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

  it("is removed when the program is ended while npm installs its packages, and npm ends too", async () => {
    write("package-lock.json", '{"other": true}');
    const bin = join(work, "bin");
    const started = join(work, "npm-started");
    mkdirSync(bin);
    // Its own child holds the pipe of this file open as long as it runs.
    writeFileSync(join(bin, "npm"), `#!/bin/sh\nsleep 300 &\necho $$ $! > ${started}\nwait\n`, {
      mode: 0o755,
    });
    const child = another({ PATH: `${bin}:${process.env.PATH ?? ""}` });
    try {
      await until(() => existsSync(started) && readFileSync(started, "utf8").endsWith("\n"));
      child.kill("SIGTERM");
      const [, signal] = (await once(child, "exit")) as [number | null, string | null];
      expect({ signal, left: leftOver(), trees: trees() }).toEqual({ signal: "SIGTERM", left: [], trees: 1 });
      const pids = readFileSync(started, "utf8").trim().split(" ").map(Number);
      await until(() => pids.every(hasEnded));
    } finally {
      child.kill("SIGKILL");
      write("package-lock.json", "{}");
    }
  });

  it.each([
    [4, "fatal: failed to read .git/worktrees/tree/commondir: Success", true],
    [5, "fatal: failed to read .git/worktrees/tree/commondir: Success", false],
    [1, "fatal: no space left on device", false],
  ])("is made although git fails %i times beside another comparison: %s", async (times, message, made) => {
    const bin = mkdtempSync(join(work, "git-"));
    const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
    const script = [
      "#!/bin/sh",
      `if [ "$1" = worktree ] && [ "$(wc -l <${bin}/failures)" -lt ${times} ]; then`,
      `  echo failed >>${bin}/failures; echo '${message}' >&2; exit 128`,
      "fi",
      `exec ${real} "$@"`,
    ];
    writeFileSync(join(bin, "failures"), "");
    writeFileSync(join(bin, "git"), `${script.join("\n")}\n`, { mode: 0o755 });
    const path = process.env.PATH ?? "";
    process.env.PATH = `${bin}:${path}`;
    try {
      const opened = openBase(project, "main", { stacks: ["a"] });
      await (made
        ? opened.then(({ remove }) => {
            remove();
          })
        : expect(opened).rejects.toThrow(message));
    } finally {
      process.env.PATH = path;
    }
    expect({ left: leftOver(), trees: trees() }).toEqual({ left: [], trees: 1 });
  });

  it("is removed by the next comparison if the program was killed, and one that runs is not", async () => {
    const [killed, running] = [another(), another()];
    const said = (child: typeof killed) => Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    try {
      // Of one that fails, the exit comes first.
      const first = await Promise.all([said(killed), said(running)]);
      expect(first.flat()).toEqual([expect.any(Buffer), expect.any(Buffer)]);
      killed.kill("SIGKILL");
      await once(killed, "exit");
      expect(leftOver()).toHaveLength(2);
      (await openBase(project, "main", { stacks: ["a"] })).remove();
      expect(leftOver()).toEqual([expect.stringContaining(`-${running.pid}-`)]);
      running.kill("SIGTERM");
      await once(running, "exit");
      expect({ left: leftOver(), trees: trees() }).toEqual({ left: [], trees: 1 });
    } finally {
      killed.kill("SIGKILL");
      running.kill("SIGKILL");
    }
  });
});

describe("what a commit and a file could both be", () => {
  const plan = JSON.stringify({ ...planOfResources(), stack: "a" });
  /** The author of a branch adds a folder, which has a plan of theirs. */
  const add = (name: string): void => {
    mkdirSync(join(project, name), { recursive: true });
    writeFileSync(join(project, name, "plan.json"), plan);
    git("add", "-A");
  };
  const before = process.cwd();

  beforeEach(() => {
    process.chdir(project);
  });
  afterEach(() => {
    process.chdir(before);
    git("reset", "-q", "--hard", "main");
    write("Pulumi.a.yaml", "config: {of: work tree}\n");
  });

  it.each(["HEAD", "HEAD^0", "main", "refs/heads/main", "main@{0}"])(
    "%s is the commit, also where the branch has a folder of this name",
    async (ref) => {
      add(ref);
      await using(openBase(project, ref, { stacks: ["a"] }), async (base) => {
        expect((await base.plan("a"))?.outputs).toEqual({ text: "config: {of: main}\n", answer: 42 });
      });
    },
  );

  it("a link of the name of a commit is not followed", async () => {
    mkdirSync(join(work, "mine"), { recursive: true });
    writeFileSync(join(work, "mine/plan.json"), plan);
    symlinkSync(join(work, "mine"), join(project, "HEAD^0"));
    await using(openBase(project, "HEAD^0", { stacks: ["a"] }), async (base) => {
      expect((await base.plan("a"))?.outputs).toMatchObject({ answer: 42 });
    });
    rmSync(join(project, "HEAD^0"));
  });

  it.each(["HEAD^1", "0123456789abcdef0123456789abcdef01234567", "origin/main", "base"])(
    "%s is refused if there is no such commit, and only the branch has a folder of this name",
    async (ref) => {
      add(ref);
      const wanted = ref === "HEAD^1" ? "first^1" : ref;
      add(wanted);
      await expect(openBase(project, wanted, { stacks: ["a"] })).rejects.toThrow(
        new Error(
          `--against ${wanted}: there is no such commit, but a file or a folder. If you mean that, write ./${wanted}`,
        ),
      );
      const base = await openBase(project, `./${wanted}`, { stacks: ["a"] });
      expect(base.label).toBe(join(`./${wanted}`, "plan.json"));
    },
  );

  it("a folder that git does not know is meant as one", async () => {
    mkdirSync(join(project, "node_modules/plans/a"), { recursive: true });
    writeFileSync(join(project, "node_modules/plans/a/plan.json"), plan);
    const base = await openBase(project, "node_modules/plans", { stacks: ["a"] });
    expect((await base.plan("a"))?.stack).toBe("a");
  });
});

describe("a file", () => {
  const plan = JSON.stringify({ ...planOfResources(), stack: "a" });

  it("is one plan, and a directory is one or several", async () => {
    mkdirSync(join(work, "plans/a"), { recursive: true });
    writeFileSync(join(work, "plans/a/plan.json"), plan);
    for (const against of ["plans/a/plan.json", "plans/a", "plans"]) {
      const base = await openBase(project, join(work, against), { stacks: ["a", "b"] });
      expect((await base.plan("a"))?.stack).toBe("a");
    }
    const folder = await openBase(project, join(work, "plans"), { stacks: ["a", "b"] });
    expect(await folder.plan("b")).toBeUndefined();
    const one = await openBase(project, join(work, "plans/a"), { stacks: ["b"] });
    expect(() => one.plan("b")).toThrow(
      `${join(work, "plans/a/plan.json")} is a plan of the stack a, not of b. A git ref has every stack.`,
    );
  });

  it.each(["utf8", "utf16le"] as const)("may begin with a byte order mark of %s", async (encoding) => {
    writeFileSync(join(work, "marked.json"), `\ufeff${plan}`, encoding);
    const base = await openBase(project, join(work, "marked.json"), { stacks: ["a"] });
    expect((await base.plan("a"))?.stack).toBe("a");
  });

  it.each([
    ["{", "is not valid JSON"],
    ["[]", "is not a plan"],
    [
      '{"version": 2, "resources": [{"urn": 1}], "stack": "a"}',
      "is damaged: resources.0.urn: Invalid input: expected string, received number; resources.0.type: ",
    ],
    ['{"resources": []}', "has version undefined"],
  ])("%s is refused", async (text, problem) => {
    writeFileSync(join(work, "bad.json"), text);
    await expect(openBase(project, join(work, "bad.json"), { stacks: ["a"] })).rejects.toThrow(problem);
  });
});
