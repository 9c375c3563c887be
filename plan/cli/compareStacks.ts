import { ConfigError } from "../../domain/problem";
import { stacksIn } from "../../config/stackFile";
import { impactsOf } from "../impact/impacts";
import { inParallel } from "./parallel";
import type { Plan } from "../model/plan";
import type { PlanOptions } from "./planStack";
import type { planStack } from "./planStack";
import { PlanError } from "../model/planError";
import { planJson } from "../model/planJson";
import { renderPlan } from "../render/render";
import { comparePlans } from "../compare/diffPlans";
import type { StackReport } from "../reports/stackReport";
import type { StackComparison } from "../impact/impact";
import { olderSide } from "./baseSide";
import type { PlanDocument } from "../model/planDocument";
import { parsePlanDocument } from "../model/planDocument";

export interface CompareOptions extends Omit<PlanOptions, "stack"> {
  readonly planner: typeof planStack;
  readonly stacks: readonly string[];
  /** Also stacks that only the older side has. */
  readonly all: boolean;
  /** A git ref, a plan.json, or a folder of plans. */
  readonly against: string;
  /** Where the newer side's files go. */
  readonly out: (stack: string) => string;
}

/** A plan, nothing where the stack is not, or why it could not be made. */
type Side = { readonly document?: PlanDocument } | { readonly failure: string };

/** What people must see instead of a plan; anything else is a fault of ours and ends the program. */
async function side(plan: () => Promise<PlanDocument | undefined>): Promise<Side> {
  try {
    const document = await plan();
    return document === undefined ? {} : { document };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof PlanError) {
      return { failure: error.message };
    }
    throw error;
  }
}

const nothing = (stack: string, project: string): PlanDocument => ({
  version: 2,
  project,
  stack,
  resources: [],
  outputs: {},
  warnings: [],
});

/** Compares what both sides say of one stack. */
export function compareSides(stack: string, against: string, older: Side, newer: Side): StackComparison {
  const failures = [older, newer].flatMap((each) => ("failure" in each ? [each.failure] : []));
  const before = "document" in older ? older.document : undefined;
  const after = "document" in newer ? newer.document : undefined;
  const project = (after ?? before)?.project ?? "";
  const base = { against, project, stack };
  const raw = comparePlans(before ?? nothing(stack, project), after ?? nothing(stack, project));
  if (failures.length > 0) {
    const none = {
      changes: [],
      unchanged: 0,
      outputs: [],
      nodes: [],
      impacts: [],
      warnings: [],
      fixedWarnings: [],
    };
    return { ...base, status: "failed", failure: failures.join("\n\n"), ...none };
  }
  const status = before === undefined ? "new" : after === undefined ? "removed" : "compared";
  return { ...raw, ...base, status, impacts: impactsOf({ before, after, raw }) };
}

/**
 * Plans stacks on both sides and compares them; what is returned has the newer plan too. A side that cannot be planned is in its comparison.
 * @throws PlanError when there is no such older side, ConfigError when a stack is on neither side
 */
export async function compareStacks(options: CompareOptions): Promise<StackReport[]> {
  const { projectDir, planner, configFile, against, out, onProgress } = options;
  const own = stacksIn(projectDir, options.stacks, configFile);
  onProgress?.(`Comparing: preparing ${against}`);
  const older = olderSide(projectDir, against, options);
  try {
    const stacks = options.all ? [...new Set([...options.stacks, ...older.stacks])].sort() : options.stacks;
    let done = 0;
    const counted = async <T>(job: Promise<T>): Promise<T> => {
      const result = await job;
      done += 1;
      onProgress?.(`Comparing: ${done} of ${2 * stacks.length} plans made`);
      return result;
    };
    const plans = new Map<string, Plan>();
    const newPlan = async (stack: string): Promise<PlanDocument | undefined> => {
      if (!own.includes(stack) && older.stacks.includes(stack)) {
        return undefined;
      }
      const plan = await planner({ projectDir, stack, configFile, manifestCache: options.manifestCache });
      renderPlan(plan, out(stack));
      plans.set(stack, plan);
      return parsePlanDocument(JSON.stringify(planJson(plan)), stack);
    };
    const sides = await inParallel(
      stacks.flatMap((stack) => [
        () => counted(side(() => older.plan(stack))),
        () => counted(side(() => newPlan(stack))),
      ]),
    );
    return stacks.map((stack, index) => {
      const plan = plans.get(stack);
      return {
        stack,
        comparison: compareSides(stack, older.label, sides[2 * index] ?? {}, sides[2 * index + 1] ?? {}),
        ...(plan === undefined ? {} : { plan }),
      };
    });
  } finally {
    older.remove();
  }
}
