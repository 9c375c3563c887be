import { availableParallelism } from "node:os";
import { stacksIn } from "capz-windows-kit/stackNames";
import { ConfigError } from "capz-windows-kit/problem";
import { authoredChanges } from "../compare/authored";
import { reachChanges } from "../compare/reachChanges";
import { diffPlans } from "../compare/diffPlans";
import type { StackComparison } from "../impact/impact";
import { impactsOf } from "../impact/impacts";
import { scheduleOf } from "../impact/schedule";
import { estimatedMinutes } from "capz-windows-platform/machines/rollMinutes";
import { readCluster } from "../model/cluster/readCluster";
import { hiddenDocuments, hiddenPlan } from "../model/hiddenCredentials";
import type { Plan } from "../model/plan";
import { planVersion } from "capz-windows-contract";
import { type ComparedPlan, parsePlanDocument } from "../model/planDocument";
import { PlanError } from "../model/planError";
import { planJson } from "../model/planJson";
import { renderPlan } from "../render/render";
import type { StackReport } from "../reports/stackReport";
import { openBase, type BaseSide } from "./baseSide";
import { locatedMessage } from "../../commands/stack/problemLines";
import { inParallel } from "capz-windows-kit/io/parallel";
import type { StackPlanOptions, planStack } from "./planStack";
import { programVersion } from "./program";
import { messageOf } from "capz-windows-kit/messageOf";
import { withoutUndefined } from "capz-windows-kit/without";

export interface CompareOptions extends Omit<StackPlanOptions, "stack"> {
  readonly planner: typeof planStack;
  readonly stacks: readonly string[];
  /** Whether stacks that only the base has are compared as well. */
  readonly all: boolean;
  /** A git ref, a plan.json, or a folder of plans. */
  readonly against: string;
  /** The folder for the head's files. */
  readonly out: (stack: string) => string;
}

/** The plan of one side, `undefined` if that side has no such stack, or the reason why it could not be planned. */
export type SideResult = { readonly document?: ComparedPlan } | { readonly failure: string };

/** @throws any error that is not written for users: it is a bug, and ends the program */
async function sideResult(
  projectDir: string,
  plan: () => Promise<ComparedPlan | undefined>,
): Promise<SideResult> {
  try {
    const document = await plan();
    return document === undefined ? {} : { document };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof PlanError) {
      return { failure: locatedMessage(projectDir, error) };
    }
    throw error;
  }
}

const documentOf = (side: SideResult): ComparedPlan | undefined =>
  "document" in side ? side.document : undefined;

const emptyPlan = (stack: string, project: string): ComparedPlan => ({
  version: planVersion,
  project,
  stack,
  resources: [],
  outputs: {},
  warnings: [],
});

function statusOf(base?: ComparedPlan, head?: ComparedPlan): "new" | "removed" | "compared" {
  if (base === undefined) {
    return "new";
  }
  return head === undefined ? "removed" : "compared";
}

/** Compares the two plans of one stack, and explains the differences. */
export function compareStack(
  stack: string,
  against: string,
  baseSide: SideResult,
  headSide: SideResult,
): StackComparison {
  const [base, head] = hiddenDocuments([documentOf(baseSide), documentOf(headSide)]);
  const project = (head ?? base)?.project ?? "";
  const names = { against, project, stack };
  const failures = [baseSide, headSide].flatMap((side) => ("failure" in side ? [side.failure] : []));
  if (failures.length > 0) {
    const isSame = failures.length > 1 && new Set(failures).size === 1;
    const [first = ""] = failures;
    const failure = isSame ? `${first}\n\nThe base has the same.` : failures.join("\n\n");
    const nothing = { changes: [], unchanged: 0, outputs: [], nodes: [], warnings: [], fixedWarnings: [] };
    return { ...names, status: "failed", failure, ...nothing, impacts: [] };
  }
  const diff = diffPlans(base ?? emptyPlan(stack, project), head ?? emptyPlan(stack, project));
  const status = statusOf(base, head);
  const authored = base && head && authoredChanges(base, head);
  const impacts = impactsOf({ base, head, diff });
  const clusters = base && head && { base: readCluster(base), head: readCluster(head) };
  const paths = clusters && reachChanges(clusters.base, clusters.head);
  const schedule = clusters && scheduleOf(impacts, clusters, estimatedMinutes);
  return {
    ...diff,
    ...names,
    status,
    impacts,
    ...(paths === undefined || paths.length === 0 ? {} : { paths }),
    ...withoutUndefined({ schedule, authored }),
  };
}

/**
 * @throws PlanError instead of any error that is not written for users, where the base is a kept file: one that was changed may have
 * inputs that no plan has
 */
function ofBase<T>({ label, isKept }: BaseSide, compare: () => T): T {
  try {
    return compare();
  } catch (error) {
    if (!isKept || error instanceof ConfigError || error instanceof PlanError) {
      throw error;
    }
    throw new PlanError(
      `${label} cannot be compared: it has inputs that no plan has (${messageOf(error)}). Plan it again.`,
    );
  }
}

/** A compared stack, with what its base had in the stack file. */
export type ComparedStack = StackReport & { readonly baseConfig?: ComparedPlan["config"] };

/**
 * Plans stacks on both sides and compares them; the reports contain the head's plans too. Where a side cannot be
 * planned, the comparison says so.
 * @throws PlanError when there is no such base, ConfigError when a stack is on neither side
 */
export async function compareStacks(options: CompareOptions): Promise<ComparedStack[]> {
  const { projectDir, planner, configFile, against, out, onProgress } = options;
  const own = stacksIn(projectDir, options.stacks, configFile);
  onProgress?.(`Comparing: preparing ${against}`);
  const base = await openBase(projectDir, against, options);
  try {
    const stacks = options.all ? [...new Set([...options.stacks, ...base.stacks])].sort() : options.stacks;
    let done = 0;
    const withProgress = async <T>(job: Promise<T>): Promise<T> => {
      const result = await job;
      done += 1;
      onProgress?.(`Comparing: ${done} of ${2 * stacks.length} plans made`);
      return result;
    };
    const plans = new Map<string, Plan>();
    const planHead = async (stack: string): Promise<ComparedPlan | undefined> => {
      if (!own.includes(stack) && base.stacks.includes(stack)) {
        return undefined;
      }
      const { manifestCache, host } = options;
      const plan = hiddenPlan(await planner({ projectDir, stack, configFile, manifestCache, host }));
      renderPlan(plan, out(stack));
      plans.set(stack, plan);
      const document = parsePlanDocument(JSON.stringify(planJson(plan)), stack);
      return { ...document, program: programVersion(projectDir) };
    };
    const sides = await inParallel(
      stacks.flatMap((stack) => [
        () => withProgress(sideResult(projectDir, () => base.plan(stack))),
        () => withProgress(sideResult(projectDir, () => planHead(stack))),
      ]),
      availableParallelism(),
    );
    const compared = (stack: string, index: number): ComparedStack => {
      const plan = plans.get(stack);
      const [baseSide = {}, headSide = {}] = sides.slice(2 * index, 2 * index + 2);
      const [document] = hiddenDocuments([documentOf(baseSide)]);
      return {
        stack,
        comparison: compareStack(stack, base.label, baseSide, headSide),
        ...(document === undefined ? {} : { base: readCluster(document) }),
        ...withoutUndefined({ baseConfig: documentOf(baseSide)?.config }),
        ...(plan === undefined ? {} : { plan }),
      };
    };
    return ofBase(base, () => stacks.map(compared));
  } finally {
    base.remove();
  }
}
