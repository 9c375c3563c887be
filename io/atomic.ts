import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Runs `use` with a path next to `path` that does not exist yet. It is in the same folder and so on the same file
 * system, where a rename is atomic. Whatever is left at it afterwards is deleted, also when `use` throws.
 */
export function withTemporary<T>(path: string, use: (temporary: string) => T): T {
  const temporary = `${path}.${randomUUID()}.tmp`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    return use(temporary);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * Writes a file so that a reader, or a second writer, sees the previous content or the new one and never a part of it,
 * even if the process is killed. Missing folders are created.
 */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  withTemporary(path, (temporary) => {
    writeFileSync(temporary, content);
    renameSync(temporary, path);
  });
}
