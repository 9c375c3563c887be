import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A script that lies beside the code, with the line ends that it has in the repository: a checkout on Windows may have
 * turned them, and a node would then get another script, or on Linux one that does not start.
 */
export const shippedText = (folder: string, name: string): string =>
  readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n");
