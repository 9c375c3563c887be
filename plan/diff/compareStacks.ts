import { ConfigError } from "../../config/problem";
import { stacksOf } from "../../config/stackFile";
import { impactsOf } from "../impact/impacts";
import { inParallel } from "../parallel";
import type { Plan, PlanOptions } from "../plan";
import { planStack } from "../plan";
import { PlanError } from "../planError";
import { planJson } from "../render/planJson";
import { renderPlan } from "../render/render";
import { comparePlans } from "./compare";
import type { StackReport } from "../reports/report";
import type { StackComparison } from "./comparison";
import { olderSide } from "./olderSide";
import type { PlanDocument } from "./planDocument";
import { parsePlanDocument } from "./planDocument";

export interface CompareOptions extends Omit<PlanOptions, "stack"> {
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
  const { projectDir, against, out, onProgress } = options;
  const own = stacksOf(projectDir);
  onProgress?.(`Comparing: preparing ${against}`);
  const older = olderSide(projectDir, against, options.stacks);
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
      const plan = await planStack({
        ...{ projectDir, stack, manifestCache: options.manifestCache, host: options.host },
      });
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
