import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const hasProject = (dir: string): boolean => existsSync(join(dir, "Pulumi.yaml"));

/** The nearest folder with a Pulumi.yaml, from one upwards, as `pulumi` looks for it. */
function nearest(dir: string): string | undefined {
  if (hasProject(dir)) {
    return dir;
  }
  const parent = dirname(dir);
  return parent === dir ? undefined : nearest(parent);
}

const own = resolve(__dirname, "../../..");

/**
 * The folder of the project, with Pulumi.yaml: that of these files in a clone, wherever it is called from. An installed
 * package has none; there it is found from the working directory, which is also the answer where none is found.
 */
export const projectDir = hasProject(own) ? own : (nearest(process.cwd()) ?? process.cwd());
