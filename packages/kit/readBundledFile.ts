import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Content of a script that is shipped next to the code, with LF line endings. A checkout on Windows may convert them
 * to CRLF; the rendered objects would then differ, and a script on Linux would not start.
 */
export const readBundledFile = (folder: string, name: string): string =>
  readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n");
