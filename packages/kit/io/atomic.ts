import { randomUUID } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

const ending = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

/** After this time nobody uses a temporary file any more. */
const hour = 3_600_000;

/** Deletes what killed processes have left beside a path. */
function removeLeft(path: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  for (const entry of readdirSync(folder)) {
    const left = join(folder, entry);
    if (
      entry.startsWith(name) &&
      ending.test(entry.slice(name.length)) &&
      Date.now() - (statSync(left, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > hour
    ) {
      rmSync(left, { recursive: true, force: true });
    }
  }
}

/**
 * Runs `use` with a path next to `path` that does not exist yet. It is in the same folder and so on the same file
 * system, where a rename is atomic. Whatever is left at it afterwards is deleted, also when `use` throws.
 */
export function withTemporary<T>(path: string, use: (temporary: string) => T): T {
  mkdirSync(dirname(path), { recursive: true });
  removeLeft(path);
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    return use(temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** A file that is renamed to the path of a device takes its place, for every program of the machine. */
function mustBeReplaceable(path: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  const target = statSync(path, { throwIfNoEntry: false });
  // /dev/stdout is a link to what is open, which may be a file.
  const isOpen = there?.isSymbolicLink() === true && readlinkSync(path).startsWith("/proc/");
  if (isOpen || (target !== undefined && !target.isFile() && !target.isDirectory())) {
    const message = `${path} is a device, a pipe or a socket`;
    throw Object.assign(new Error(message), { code: "ENXIO", path, syscall: "write" });
  }
}

/**
 * Writes another text into a file that there is, as writeAtomically does. The file stays where a link leads to, and who may read it
 * stays the same.
 */
export function rewriteAtomically(path: string, content: string): void {
  const file = realpathSync(path);
  mustBeReplaceable(file);
  const { mode } = statSync(file);
  withTemporary(file, (temporary) => {
    writeFileSync(temporary, content, { mode: 0o600 });
    chmodSync(temporary, mode & 0o777);
    renameSync(temporary, file);
  });
}

/**
 * Writes a file so that a reader, or a second writer, sees the previous content or the new one and never a part of it,
 * even if the process is killed. Missing folders are created.
 * @throws Error (ENXIO) for a device, a pipe or a socket, which stays
 * @param mode - as for open(2), without the umask; default: what everybody may read and write
 */
export function writeAtomically(path: string, content: string | Uint8Array, mode = 0o666): void {
  mustBeReplaceable(path);
  withTemporary(path, (temporary) => {
    writeFileSync(temporary, content, { mode });
    renameSync(temporary, path);
  });
}
