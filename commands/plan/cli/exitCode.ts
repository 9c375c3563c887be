import { changedSecrets } from "../compare/authored";
import type { Severity, StackComparison } from "../impact/impact";

/** Which changes fail a gate. With `any`, the default, the exit code says how severe they are. */
export const gates = ["destructive", "any"] as const;
export type Gate = (typeof gates)[number];

/** Whether data, addresses or a cluster are lost, or the change cannot be made at all. */
const destructive: readonly Severity[] = ["refused", "destroys"];

const isDestructive = ({ impacts }: StackComparison): boolean =>
  impacts.some(({ severity }) => destructive.includes(severity));

const isChanged = ({ status, changes, outputs, authored }: StackComparison): boolean =>
  status !== "compared" || changes.length > 0 || outputs.length > 0 || changedSecrets(authored).length > 0;

/**
 * The worst of all stacks: 1: a side could not be planned; 3: something is destroyed or would be refused; 2: something
 * changes; 0: nothing changes. With the gate `destructive` 2 becomes 0.
 */
export function exitCode(comparisons: readonly StackComparison[], gate: Gate = "any"): 0 | 1 | 2 | 3 {
  if (comparisons.some(({ status }) => status === "failed")) {
    return 1;
  }
  if (comparisons.some(isDestructive)) {
    return 3;
  }
  return gate === "any" && comparisons.some(isChanged) ? 2 : 0;
}
