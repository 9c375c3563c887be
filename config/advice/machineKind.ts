import type { Problem } from "../../tools/problem";
import { isRecord } from "../../tools/untyped";
import { checkConfig } from "../check";
import { applySteps, pathText, valueAt } from "./steps";

const kind = "MachineDeployment";

/**
 * Advice that keeps keys which only machines outside of a scale set have: a pool that says nothing of its kind gets that
 * kind, if that causes no other problem.
 */
export function withMachineKind(
  problems: readonly Problem[],
  config: Readonly<Record<string, unknown>>,
): Problem[] {
  const pools = new Map<string, boolean>();
  const isForMachines = ({ allowed, write }: Problem): boolean =>
    allowed.startsWith(`kind: ${kind}`) && write.startsWith("remove ");
  const told = problems.filter((problem) => !isForMachines(problem)).map(({ path }) => path);
  const mayBe = (at: readonly string[]): boolean => {
    const pool = pathText(at);
    const given = valueAt(config, at);
    if (!pools.has(pool)) {
      const { schema, crossField } = checkConfig(applySteps(config, [{ set: [...at, "kind"], value: kind }]));
      const isFitting = [...schema, ...crossField].every(
        ({ path }) => !path.startsWith(`${pool}.`) || told.includes(path),
      );
      pools.set(pool, isFitting && isRecord(given) && given.kind === undefined);
    }
    return pools.get(pool) === true;
  };
  return problems.map((problem) => {
    const at = problem.path.split(".").slice(0, 2);
    return isForMachines(problem) && at[0] === "windowsPools" && mayBe(at)
      ? { ...problem, write: `kind: ${kind} # in ${at.join(".")}, or ${problem.write}` }
      : problem;
  });
}
