import type { Finding } from "capz-windows-kit/finding";
import { changedSecrets, changedState } from "../compare/authored";
import type { Severity, StackComparison } from "../impact/impact";
import { errorsAndRest } from "../reports/policyTexts";
import type { StackReport } from "../reports/stackReport";

/** Which changes fail a gate. With `any`, the default, the exit code says how severe they are. */
export const gates = ["destructive", "any"] as const;
export type Gate = (typeof gates)[number];

interface GateOptions {
  /** Default: any. */
  readonly gate?: Gate;
  /** Whether errors of policies have no exit code. Default: false. */
  readonly allowPolicyErrors?: boolean;
}

/** Whether data, addresses or a cluster are lost, or the change cannot be made at all. */
const destructive: readonly Severity[] = ["refused", "destroys"];

const isDestructive = ({ impacts }: StackComparison): boolean =>
  impacts.some(({ severity }) => destructive.includes(severity));

const isChanged = ({ status, changes, outputs, authored }: StackComparison): boolean =>
  status !== "compared" ||
  changes.length > 0 ||
  outputs.length > 0 ||
  changedSecrets(authored).length > 0 ||
  changedState(authored).length > 0;

/** Errors of policies that no exception accepts. */
export const policyErrors = (reports: readonly Pick<StackReport, "findings">[]): Finding[] =>
  reports.flatMap(({ findings }) => errorsAndRest(findings)[0]);

/**
 * The worst of all stacks: 1: a side could not be planned; 4: a policy has an error; 3: something is destroyed or would be
 * refused; 2: something changes; 0: nothing changes. With the gate `destructive` 2 becomes 0.
 */
export function exitCode(
  reports: readonly Pick<StackReport, "comparison" | "findings">[],
  { gate = "any", allowPolicyErrors = false }: GateOptions = {},
): 0 | 1 | 2 | 3 | 4 {
  const comparisons = reports.flatMap(({ comparison }) => comparison ?? []);
  if (comparisons.some(({ status }) => status === "failed")) {
    return 1;
  }
  if (!allowPolicyErrors && policyErrors(reports).length > 0) {
    return 4;
  }
  if (comparisons.some(isDestructive)) {
    return 3;
  }
  return gate === "any" && comparisons.some(isChanged) ? 2 : 0;
}
