import { existsSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { runNode } from "../engine";
import { PlanError } from "../planError";
import type { PlanDocument } from "./planDocument";
import { readPlanDocument } from "./planDocument";
import type { WorkTree } from "./workTree";
import { addWorkTree } from "./workTree";
import { stacksOf } from "../../config/stackFile";

/** What a plan is compared against. */
export interface OlderSide {
  /** "origin/main (1a2b3c4)", or the path of a plan.json or of a folder of plans. */
  readonly label: string;
  /** Those that it has. */
  readonly stacks: readonly string[];
  /**
   * @returns nothing when it has no such stack
   * @throws PlanError with a whole report when the stack cannot be planned there
   */
  readonly plan: (stack: string) => Promise<PlanDocument | undefined>;
  readonly remove: () => void;
}

const timeoutMs = 300_000;

/** Runs the older program's own plan: its engine, its rules, its packages. */
async function planInTree({ projectDir, outputDir, label }: WorkTree, stack: string) {
  if (!stacksOf(projectDir).includes(stack)) {
    return undefined;
  }
  const out = join(outputDir, stack);
  const args = [join(projectDir, "scripts/plan.js"), "--stack", stack, "--out", out];
  // Its own plan hides what the machine has from the program, as ours does.
  const { code, stderr, timedOut } = await runNode(args, { cwd: projectDir, env: process.env, timeoutMs });
  if (code !== 0) {
    const reason = timedOut ? `it took longer than ${timeoutMs / 1000} s` : stderr.trim();
    throw new PlanError(`Stack ${stack} cannot be planned at ${label}:\n\n${reason}`);
  }
  return readPlanDocument(join(out, "plan.json"));
}

function ofTree(tree: WorkTree): OlderSide {
  return {
    label: tree.label,
    stacks: stacksOf(tree.projectDir),
    plan: (stack) => planInTree(tree, stack),
    remove: tree.remove,
  };
}

function ofFile(path: string): OlderSide {
  const document = readPlanDocument(path);
  return {
    label: path,
    stacks: [document.stack],
    plan: (stack) => {
      if (stack !== document.stack) {
        throw new PlanError(
          `${path} is a plan of the stack ${document.stack}, not of ${stack}. A git ref has every stack.`,
        );
      }
      return Promise.resolve(document);
    },
    remove: () => undefined,
  };
}

/** A folder with one folder for each stack, as `--all` writes it. */
function ofFolder(dir: string, stacks: readonly string[]): OlderSide {
  const file = (stack: string): string => join(dir, stack, "plan.json");
  return {
    label: dir,
    stacks: stacks.filter((stack) => existsSync(file(stack))),
    plan: (stack) => Promise.resolve(existsSync(file(stack)) ? readPlanDocument(file(stack)) : undefined),
    remove: () => undefined,
  };
}

/**
 * Finds out what `--against` names: a plan.json, a folder that a plan wrote, a folder of such folders, or a git ref.
 * @param stacks that will be asked for
 * @throws PlanError when it is none of them
 */
export function olderSide(projectDir: string, against: string, stacks: readonly string[]): OlderSide {
  const stat = statSync(against, { throwIfNoEntry: false });
  if (stat?.isFile() === true) {
    return ofFile(against);
  }
  if (stat?.isDirectory() === true && existsSync(join(against, "plan.json"))) {
    return ofFile(join(against, "plan.json"));
  }
  const folders =
    stat?.isDirectory() === true && stacks.some((stack) => existsSync(join(against, stack, "plan.json")));
  if (folders) {
    return ofFolder(against, stacks);
  }
  if (basename(against).endsWith(".json")) {
    throw new PlanError(`--against ${against}: there is no such file.`);
  }
  return ofTree(addWorkTree(projectDir, against));
}
