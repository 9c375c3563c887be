import { existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { runProcess } from "pulumi-plan-engine";
import { PlanError } from "../model/planError";
import { type ComparedPlan, readPlanDocument } from "../model/planDocument";
import { addWorkTree, isCommit, isTracked, type WorkTree } from "./workTree";
import { programVersion } from "./program";
import { stacksIn } from "capz-windows-kit/stackNames";

/** The base of a comparison: what `--against` names. */
export interface BaseSide {
  /** "origin/main (1a2b3c4)", or the path of a plan.json or of a folder of plans. */
  readonly label: string;
  /** Whether it is a kept file, of which nobody knows who wrote it, and no plan that was just made. */
  readonly isKept: boolean;
  /** The stacks of the base. */
  readonly stacks: readonly string[];
  /**
   * @returns `undefined` if the base has no such stack
   * @throws PlanError with a complete report if the stack cannot be planned there
   */
  readonly plan: (stack: string) => Promise<ComparedPlan | undefined>;
  readonly remove: () => void;
}

/** What is requested from the base. */
export interface WantedPlans {
  readonly stacks: readonly string[];
  /** Path of the stack file, relative to the project folder; default: those beside Pulumi.yaml. */
  readonly configFile?: string | undefined;
}

const timeoutMs = 300_000;

/** Runs the plan of the base's own program: its engine, its rules, its packages. */
async function planInTree(
  { projectDir, planner, outputDir, label }: WorkTree,
  stack: string,
  configFile?: string,
) {
  if (!stacksIn(projectDir, [stack], configFile).includes(stack)) {
    return undefined;
  }
  const out = join(outputDir, stack);
  const file = configFile === undefined ? [] : ["--config-file", configFile];
  const args = [...planner, "--stack", stack, "--out", out, ...file];
  // The base's own plan hides the machine's environment from the program, as this one does.
  const { code, stderr, timedOut } = await runProcess(process.execPath, args, {
    ...{ cwd: projectDir, env: process.env, timeoutMs },
  });
  if (code !== 0) {
    const reason = timedOut ? `it took longer than ${timeoutMs / 1000} s` : stderr.trim();
    throw new PlanError(`Stack ${stack} cannot be planned at ${label}:\n\n${reason}`);
  }
  return { ...readPlanDocument(join(out, "plan.json")), program: programVersion(projectDir) };
}

function ofTree(tree: WorkTree, { stacks, configFile }: WantedPlans): BaseSide {
  return {
    label: tree.label,
    isKept: false,
    stacks: stacksIn(tree.projectDir, stacks, configFile),
    plan: (stack) => planInTree(tree, stack, configFile),
    remove: tree.remove,
  };
}

function ofFile(path: string): BaseSide {
  const document = readPlanDocument(path);
  return {
    label: path,
    isKept: true,
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
function ofFolder(dir: string, stacks: readonly string[]): BaseSide {
  const file = (stack: string): string => join(dir, stack, "plan.json");
  return {
    label: dir,
    isKept: true,
    stacks: stacks.filter((stack) => existsSync(file(stack))),
    plan: (stack) => Promise.resolve(existsSync(file(stack)) ? readPlanDocument(file(stack)) : undefined),
    remove: () => undefined,
  };
}

/** No git ref has a file that is outside of the project. */
const isOutside = (configFile: string | undefined): configFile is string =>
  configFile !== undefined && (configFile.startsWith("..") || isAbsolute(configFile));

/** Text that can only be the path of a file. */
const isPath = (against: string): boolean =>
  against.endsWith(".json") || isAbsolute(against) || /^\.{0,2}[\\/]/.test(against);

/**
 * Whether `--against` names a file or a folder. What can be a commit is one: a file of the same name, which the author of a branch
 * can add, never stands for the base.
 * @throws PlanError for a folder of the repository, unless it is written as a path
 */
function namesFile(projectDir: string, against: string): boolean {
  if (isPath(against)) {
    return true;
  }
  if (isCommit(projectDir, against)) {
    return false;
  }
  const exists = existsSync(against);
  if (exists && (!/[\\/]/.test(against) || isTracked(projectDir, against))) {
    throw new PlanError(
      `--against ${against}: there is no such commit, but a file or a folder. If you mean that, write ./${against}`,
    );
  }
  return exists;
}

/**
 * Finds out what `--against` refers to: a plan.json, a folder that a plan wrote, a folder of such folders, or a git
 * ref.
 * @throws PlanError if it is neither
 */
export async function openBase(projectDir: string, against: string, wanted: WantedPlans): Promise<BaseSide> {
  const { stacks, configFile } = wanted;
  if (namesFile(projectDir, against)) {
    return openFile(against, stacks);
  }
  if (isOutside(configFile)) {
    throw new PlanError(
      `--config-file ${configFile}: this file is outside of the project, so no git ref has it. Compare it with a plan.json.`,
    );
  }
  return ofTree(await addWorkTree(projectDir, against), wanted);
}

function openFile(against: string, stacks: readonly string[]): BaseSide {
  const stat = statSync(against, { throwIfNoEntry: false });
  if (stat?.isFile() === true) {
    return ofFile(against);
  }
  if (stat?.isDirectory() === true && existsSync(join(against, "plan.json"))) {
    return ofFile(join(against, "plan.json"));
  }
  if (stacks.some((stack) => existsSync(join(against, stack, "plan.json")))) {
    return ofFolder(against, stacks);
  }
  throw new PlanError(
    stat === undefined
      ? `--against ${against}: there is no such file.`
      : `--against ${against}: there is no plan.json in it.`,
  );
}
