import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRunning } from "./leftOver";

/** A folder that takes the place of another one as a whole, so that a command that is killed leaves no mixture. */

/** A name beside a path that does not exist yet, with the process that uses it. */
const besideName = (path: string, ending: "tmp" | "old"): string =>
  `${path}.${process.pid}-${randomUUID()}.${ending}`;

const ofProcess = /^\.(\d+)-[0-9a-f-]{36}\.(tmp|old)$/;

/** What is left beside a path by processes that were killed. */
function leftBeside(path: string): { readonly path: string; readonly isOld: boolean }[] {
  const [folder, name] = [dirname(path), basename(path)];
  return readdirSync(folder).flatMap((entry) => {
    const found = entry.startsWith(name) ? ofProcess.exec(entry.slice(name.length)) : null;
    const left = join(folder, entry);
    return found === null || isRunning(Number(found[1])) ? [] : [{ path: left, isOld: found[2] === "old" }];
  });
}

/**
 * Brings back a folder that a killed process was about to exchange, and deletes what it has left beside it.
 * @param keep - gets what an exchange has put aside, if the new folder is there
 */
export function removeLeftBeside(path: string, keep: (old: string) => void = () => undefined): void {
  if (!existsSync(dirname(path))) {
    return;
  }
  for (const left of leftBeside(path)) {
    if (left.isOld && !existsSync(path)) {
      renameSync(left.path, path);
    } else {
      if (left.isOld) {
        keep(left.path);
      }
      rmSync(left.path, { recursive: true, force: true });
    }
  }
}

/** Renames if both are as they were; another process may exchange the same folder at the same moment. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      return false;
    }
    throw error;
  }
}

/** More often than this no others exchange the folder in between. */
const mostTries = 1_000;

/**
 * Puts a folder in the place of another one as a whole: at every moment the old one or the new one is there, or, between two
 * renames, the old one beside it, which the next writer brings back. With two writers, one of the two folders is there as a whole.
 * @param write - makes the new folder
 * @param keep - takes what it wants out of the old one before that is deleted
 */
export function exchangeFolder(
  path: string,
  write: (folder: string) => void,
  keep: (old: string) => void,
): void {
  // A link stays one: what it leads to is exchanged.
  const target = existsSync(path) ? realpathSync(path) : path;
  if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    // It leads to nothing, and the error says so.
    mkdirSync(target);
  }
  mkdirSync(dirname(target), { recursive: true });
  removeLeftBeside(target, keep);
  const temporary = besideName(target, "tmp");
  try {
    write(temporary);
    for (let tries = 0; tries < mostTries; tries += 1) {
      const old = besideName(target, "old");
      const isAside = renamed(target, old);
      const isThere = renamed(temporary, target);
      if (isAside) {
        keep(old);
        rmSync(old, { recursive: true, force: true });
      }
      if (isThere) {
        return;
      }
    }
    throw new Error(`${path}: other processes write this folder all the time`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
