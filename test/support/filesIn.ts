import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The texts of all files below a folder, by path. */
export const filesIn = (out: string): Map<string, string> =>
  new Map(
    readdirSync(out, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.\w+$/.test(path))
      .map((path) => [path, readFileSync(join(out, path), "utf8")]),
  );
