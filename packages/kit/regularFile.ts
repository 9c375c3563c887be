import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { readBounded } from "./readBounded";

/**
 * The text of a file in a folder. A link may not lead out of it, and a pipe would be waited for without end.
 * @param bytes - what the caller takes at most
 * @throws Error when there is no such file (code ENOENT), or none that may be read
 */
export async function readRegular(rootDir: string, file: string, bytes: number): Promise<string> {
  const [root, path] = await Promise.all([realpath(rootDir), realpath(join(rootDir, file))]);
  if (!path.startsWith(join(root, sep))) {
    throw new Error("a link leads out of the folder of Pulumi.yaml");
  }
  const found = await stat(path);
  if (!found.isFile()) {
    throw new Error("it is not a regular file");
  }
  return readBounded(path, bytes).toString("utf8");
}

/** Why a file cannot be read, from what readRegular throws. */
export const unreadable = (error: unknown): string =>
  (error as { code?: unknown }).code === "ENOENT"
    ? "there is no such file"
    : `it cannot be read: ${(error as Error).message}`;
