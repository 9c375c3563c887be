import type { FoundInConfig } from "../../tools/finding";
import type { Problem, Warning } from "../../tools/problem";
import type { Loaded } from "../load";
import { originPath } from "../poolDefaults";
import { unusedException, withExceptions } from "./exceptions";
import { policies, type Policy } from "./policies";
import { policyIds, type PolicyId } from "./policyIds";

const asFinding = (id: PolicyId, { path, message }: Warning): FoundInConfig => {
  const { level, title, write, source }: Policy = policies[id];
  return { id, title, level, path, message, write, source };
};

/** Rules for what is not about security. */
export const otherRules = {
  "unused-exception": unusedException,
  "stack-warning": {
    level: "warning",
    title: "A setting has a consequence that you may not expect",
  },
  "stack-problem": { level: "error", title: "The stack file is wrong" },
} as const;

/**
 * The findings of all policies, with what the stack file accepts, then the other warnings of a stack.
 * @param config - the decoded stack file: what several pools have from poolDefaults is found once
 * @param today - such as 2026-11-25
 */
export function findingsOf(
  { settings, warnings }: Loaded,
  config: Readonly<Record<string, unknown>>,
  today: string,
): FoundInConfig[] {
  const found = policyIds.flatMap((id) =>
    policies[id]
      .find(settings, today)
      .map((warning) => asFinding(id, { ...warning, path: originPath(warning.path, config) })),
  );
  const others = warnings.map(({ path, message }) => ({
    ...{ id: "stack-warning", ...otherRules["stack-warning"] },
    ...{ path, message },
  }));
  // Some policies are warnings as well, and are not said twice.
  const once = [...found, ...others].filter(
    ({ path, message }, index, all) =>
      all.findIndex((other) => other.path === path && other.message === message) === index,
  );
  return withExceptions(once, settings.policyExceptions, today);
}

/** A problem of a stack file, which has no plan. */
export const problemFinding = ({ path, problem, allowed, write }: Problem): FoundInConfig => ({
  id: "stack-problem",
  ...otherRules["stack-problem"],
  path,
  message: `${problem}; allowed: ${allowed}`,
  write,
});
