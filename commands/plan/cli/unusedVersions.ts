import { readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** Which installed versions stay in the cache: each takes about 200 MB, and every change of a lock file makes another. */

/** Versions that stay, however long ago they were used. */
const kept = 3;

/** A version that was used since then stays, too: another plan may run with it. */
const dayMs = 24 * 3600 * 1000;

/** The name of an installed version: a hash. Unfinished ones have an ending. */
const isVersion = (name: string): boolean => /^[0-9a-f]{20}$/.test(name);

const lastUse = (folder: string): number | undefined => statSync(folder, { throwIfNoEntry: false })?.mtimeMs;

/** Notes that a version is in use. @returns false if it is not in the cache */
export function noteUse(folder: string): boolean {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
    return true;
  } catch (error) {
    // A cache that another user filled, and that this one may only read, is as good.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

/** Takes a version out of the cache before it is deleted: whoever looks for it afterwards installs it again. */
function remove(folder: string, used: number): void {
  // With this ending, the next plan deletes what a killed process leaves.
  const away = `${folder}.${process.pid}.tmp`;
  try {
    renameSync(folder, away);
    if (lastUse(away) === used) {
      rmSync(away, { recursive: true, force: true, maxRetries: 10 });
    } else {
      // A plan has begun to use it.
      renameSync(away, folder);
    }
  } catch {
    // Another plan was faster, it is another user's, or a file is open (Windows): nothing fails because a version stays.
  }
}

/** Deletes versions that were not used for a day, all but those used last. */
export function removeUnused(cache: string): void {
  const now = Date.now();
  const versions = readdirSync(cache)
    .filter(isVersion)
    .map((name) => join(cache, name))
    .map((folder) => ({ folder, used: lastUse(folder) ?? now }))
    .sort((a, b) => b.used - a.used)
    .slice(kept);
  versions
    .filter(({ used }) => now - used > dayMs)
    .forEach(({ folder, used }) => {
      remove(folder, used);
    });
}
