import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { stacksOf } from "../../config/stackFile";
import { compareStack } from "./compareStacks";
import { parsePlanDocument } from "../model/planDocument";
import { planStack } from "./planStack";
import type { Files } from "../render/render";
import { renderPlan } from "../render/render";
import { formatComparisons } from "../reports/text";

/** What a plan of each example stack wrote when people last looked at it, one folder a stack. */
const goldenDir = "test/golden";

function filesBelow(root: string, dir = root): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    return entry.isDirectory() ? filesBelow(root, path) : [relative(root, path).split(sep).join("/")];
  });
}

/** Rewrites all golden folders, without pinned manifests: as a plan is on any machine. */
export async function rewriteGolden(
  projectDir: string,
  onStack: (stack: string, files: number) => void,
): Promise<void> {
  const stacks = stacksOf(projectDir);
  const root = join(projectDir, goldenDir);
  for (const folder of existsSync(root) ? readdirSync(root) : []) {
    if (!stacks.includes(folder)) {
      rmSync(join(root, folder), { recursive: true });
    }
  }
  for (const stack of stacks) {
    const plan = await planStack({ projectDir, stack });
    onStack(stack, renderPlan(plan, join(root, stack)).length);
  }
}

/** Files that differ, each with what happened to it; none when both sides are the same bytes. */
export function changedFiles(before: Files, after: Files): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path) => {
    const [golden, made] = [before.get(path), after.get(path)];
    return golden === made
      ? []
      : [`${golden === undefined ? "new" : made === undefined ? "gone" : "changed"}  ${path}`];
  });
}

/**
 * What a plan makes that the golden folder of its stack has otherwise, for the people who read the change: what it
 * means, property by property, and the files.
 * @param files as planFiles makes them
 * @returns nothing when all is the same
 */
export function goldenDifference(projectDir: string, stack: string, files: Files): string | undefined {
  const root = join(projectDir, goldenDir, stack);
  const paths = existsSync(root) ? filesBelow(root) : [];
  const golden = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const changed = changedFiles(golden, files);
  if (changed.length === 0) {
    return undefined;
  }
  const document = (side: Files) => {
    const text = side.get("plan.json");
    return text === undefined ? {} : { document: parsePlanDocument(text, `${stack}/plan.json`) };
  };
  const comparison = compareStack(stack, `${goldenDir}/${stack}`, document(golden), document(files));
  return [
    `The plan of ${stack} is no longer what ${goldenDir}/${stack} says. Read what changes for those who have this`,
    "stack; when it is meant, `npm run golden` writes it down.",
    "",
    formatComparisons([{ stack, comparison }]),
    ...changed,
  ].join("\n");
}
