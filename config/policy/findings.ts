import type { FoundInConfig } from "capz-windows-kit/finding";
import type { Problem } from "capz-windows-kit/problem";
import type { Loaded } from "../load";
import { concerns } from "../managementStack";
import { originPath } from "../poolDefaults";
import { unusedException, withExceptions } from "./exceptions";
import { factsOf, type BesideStackFile, type Facts, type Found } from "./facts";
import { policies } from "./policies";
import type { Policy } from "./policy";
import { policyIds, type PolicyId } from "./policyIds";

const asFinding = (id: PolicyId, found: Found): FoundInConfig & Found => {
  const { level, title, write, source }: Policy = policies[id];
  return { id, title, level, ...found, write, source };
};

/**
 * The findings of a rule, each at the place where the stack file has it: what several pools have from poolDefaults is found
 * once.
 * @param config - the decoded stack file
 * @param today - such as 2026-11-25
 */
const findingsOfRule = (
  id: PolicyId,
  facts: Facts,
  config: Readonly<Record<string, unknown>>,
  today: string,
): (FoundInConfig & Found)[] =>
  policies[id]
    .find(facts, today)
    .map((found) => asFinding(id, { ...found, path: originPath(found.path, config) }));

/** Each once: some policies are warnings as well. */
const distinct = <T extends Found>(found: readonly T[]): T[] =>
  found.filter(
    ({ path, message, urn }, index, all) =>
      all.findIndex((other) => other.path === path && other.message === message && other.urn === urn) ===
      index,
  );

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
  beside: BesideStackFile = {},
): FoundInConfig[] {
  const facts = factsOf(settings, beside);
  const found = policyIds
    .flatMap((id) => findingsOfRule(id, facts, config, today))
    .filter(({ path }) => concerns(settings, path));
  const others = warnings.map(({ path, message }) => ({
    ...{ id: "stack-warning", ...otherRules["stack-warning"] },
    ...{ path, message },
  }));
  return withExceptions(
    distinct<FoundInConfig & Found>([...found, ...others]),
    settings.policyExceptions,
    today,
  );
}

/** A problem of a stack file, which has no plan. */
export const problemFinding = ({ path, problem, allowed, write }: Problem): FoundInConfig => ({
  id: "stack-problem",
  ...otherRules["stack-problem"],
  path,
  message: `${problem}; allowed: ${allowed}`,
  ...(write === undefined ? {} : { write }),
});
