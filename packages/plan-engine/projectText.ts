import { readFileSync, statSync } from "node:fs";

/** Pulumi.yaml, package.json and tsconfig.json have some kB. */
const mostBytes = 1_000_000;

/** The text of a file of the project. @throws Error for a larger one, for a folder, a pipe or a device */
export function projectText(file: string): string {
  const found = statSync(file);
  if (!found.isFile() || found.size > mostBytes) {
    throw new Error(`${file} is not read: it is no regular file, or has more than 1,000,000 bytes`);
  }
  return readFileSync(file, "utf8");
}
