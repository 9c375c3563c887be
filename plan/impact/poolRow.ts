import type { Fact, Scene } from "./facts";
import type { Row, Told } from "./row";
import type { PoolFacts } from "./scene";
import { poolKinds, poolOf } from "./scene";

/** Does the fact belong to a machine pool? */
export const isPool = ({ subject }: Fact): boolean => subject.startsWith("pool-");

/** The patch that waits for a pool's nodes. */
export const isPatch = ({ type }: Pick<Fact, "type">): boolean =>
  poolKinds.some((kind) => type === `${kind}Patch`);

/** The pool of a group, before and after, when it is on both sides. */
function poolsOf(facts: readonly Fact[], { before, after }: Scene) {
  const name = facts[0]?.subject.replace(/^pool-/, "") ?? "";
  const [old, fresh] = [poolOf(before, name), poolOf(after, name)];
  return old && fresh ? { old, fresh } : undefined;
}

/** A row that speaks of one pool, on both sides. */
export const poolRow = (
  row: Omit<Row, "tell">,
  tell: (
    pool: { old: PoolFacts; fresh: PoolFacts },
    facts: readonly Fact[],
    group: readonly Fact[],
  ) => Told | undefined,
): Row => ({
  ...row,
  match: (fact, scene) => isPool(fact) && row.match(fact, scene),
  // The patch that waits for the pool changes with everything in it.
  claims: (fact, facts) => (isPatch(fact) && fact.kind === "update") || row.claims?.(fact, facts) === true,
  tell: (facts, scene, group) => {
    const pool = poolsOf(facts, scene);
    return pool && tell(pool, facts, group);
  },
});
