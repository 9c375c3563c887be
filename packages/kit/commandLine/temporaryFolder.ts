import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning, onceAtEnd } from "./leftOver";

/**
 * Folders for what a command needs for a while. They end with the process, also when it is interrupted; what a killed process has
 * left, the next one deletes.
 */

/** The name with the process that uses the folder. */
const nameOf = (what: string): string => `capz-windows-${what}-${process.pid}-`;

/** What cannot be deleted stays. */
function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!["EACCES", "EPERM", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      throw error;
    }
  }
}

/** Whether this user made a folder: in that of another one, names become links while its files are deleted. */
function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}

/** Deletes what killed processes have left in the folder for temporary files. */
export function removeLeftFolders(what: string): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^capz-windows-${what}-(\\d+)-`).exec(name)?.[1];
    const path = join(tmpdir(), name);
    if (pid !== undefined && !isRunning(Number(pid)) && isOwn(path)) {
      removeFolder(path);
    }
  }
}

/**
 * Makes a folder that only this user can read.
 * @param what - a word for its name
 * @param clean - instead of deleting it
 * @returns the folder, and a function that deletes it
 */
export function temporaryFolder(
  what: string,
  clean: (folder: string) => void = removeFolder,
): { readonly folder: string; readonly remove: () => void } {
  removeLeftFolders(what);
  const folder = mkdtempSync(join(tmpdir(), nameOf(what)));
  const remove = onceAtEnd(() => {
    clean(folder);
  });
  return { folder, remove };
}

/** Runs a function with a temporary folder. */
export async function inTemporaryFolder<T>(what: string, use: (folder: string) => Promise<T>): Promise<T> {
  const { folder, remove } = temporaryFolder(what);
  try {
    return await use(folder);
  } finally {
    remove();
  }
}
