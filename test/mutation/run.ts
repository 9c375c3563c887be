import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { linkModules } from "../support/linkedModules";
import { type Mutant, mutants, mutated } from "./mutants";

/**
 * Breaks copies of the program, one mutant at a time, and reports those that no test notices. Tests of golden files and
 * of the generated schema are left out, because they fail for every difference and say nothing about its meaning. So
 * are tests that start processes or need external programs.
 */

const projectDir = join(__dirname, "../..");
const leftOut = "mutation|apiserver|test/engine|test/bootstrap|plan/(engine|failures)";

const copyName = /^capz-windows-mutant-(\d+)-/;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Deletes the copies of runs that were killed. */
function removeLeftOver(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = copyName.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    }
  }
}

function copy(): string {
  const dir = mkdtempSync(join(tmpdir(), `capz-windows-mutant-${process.pid}-`));
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: projectDir,
    encoding: "utf8",
  });
  for (const file of files.split("\n").filter((name) => name !== "")) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    cpSync(join(projectDir, file), join(dir, file));
  }
  linkModules(dir);
  return dir;
}

const children = new Set<ChildProcess>();

/** @returns the first failing test, or undefined when all pass */
function firstFailure(dir: string, file = ""): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // A file instead of a pipe, which a process that a test leaves behind could keep open.
    const log = join(dir, "jest.log");
    const stderr = openSync(log, "w");
    const jest = join(projectDir, "node_modules/jest/bin/jest.js");
    const child = spawn(
      process.execPath,
      [
        ...["--max-semi-space-size=64", jest, "--bail", "--runInBand"],
        ...["--testSequencer", join(__dirname, "sequencer.js")],
        ...["--testEnvironment", join(__dirname, "environment.js")],
        ...["--testPathIgnorePatterns", leftOut],
        // Excluded by name, because these tests share their files with others.
        ...[
          "--testNamePattern",
          "^(?!test/golden |what is generated |npm run plan |\\d+ of the right configs)",
        ],
      ],
      {
        cwd: dir,
        stdio: ["ignore", "ignore", stderr],
        env: { ...process.env, MUTATED_ROOM: file.split("/")[0] },
      },
    );
    children.add(child);
    child.once("error", reject);
    child.once("exit", (code) => {
      children.delete(child);
      closeSync(stderr);
      const text = readFileSync(log, "utf8");
      const failed = /^ +● (.+)$/m.exec(text)?.[1];
      if (code !== 0 && failed === undefined) {
        reject(new Error(`jest did not run: ${text.slice(-500)}`));
      } else {
        resolve(failed);
      }
    });
  });
}

async function work(
  dir: string,
  queue: Mutant[],
  survivors: Mutant[],
  report: (line: string) => void,
): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const path = join(dir, mutant.file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, mutated(mutant, text));
    const test = await firstFailure(dir, mutant.file);
    writeFileSync(path, text);
    const title = `${mutant.file}: ${mutant.from.split("\n")[0] ?? ""} → ${mutant.breaks}`;
    if (test === undefined) {
      survivors.push(mutant);
      report(`SURVIVED  ${title}`);
    } else {
      report(`killed    ${title}\n            by ${test}`);
    }
  }
}

/** @param wanted - part of a file name. Default: all mutants. */
async function main(wanted = ""): Promise<number> {
  const queue = mutants.filter(({ file }) => file.includes(wanted));
  if (queue.length === 0) {
    process.stdout.write(`No mutant is in a file with ${wanted} in its name.\n`);
    return 1;
  }
  const total = queue.length;
  const survivors: Mutant[] = [];
  removeLeftOver();
  const dirs = Array.from({ length: Math.max(1, availableParallelism()) }, copy);
  const end = () => {
    dirs.forEach((dir) => {
      rmSync(dir, { recursive: true, force: true, maxRetries: 10 });
    });
  };
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.once(signal, () => {
      children.forEach((child) => child.kill("SIGKILL"));
      end();
      process.exit(code);
    });
  }
  try {
    const [first = ""] = dirs;
    const broken = await firstFailure(first);
    if (broken !== undefined) {
      process.stdout.write(`The program is broken without any mutant: ${broken}\n`);
      return 1;
    }
    let done = 0;
    const report = (line: string) =>
      process.stdout.write(`${String((done += 1)).padStart(3)}/${total} ${line}\n`);
    await Promise.all(dirs.map((dir) => work(dir, queue, survivors, report)));
  } finally {
    end();
  }
  process.stdout.write(
    `\n${total - survivors.length} of ${total} mutants killed, ${survivors.length} survived\n`,
  );
  return survivors.length === 0 ? 0 : 1;
}

void main(process.argv[2]).then((code) => {
  process.exitCode = code;
});
