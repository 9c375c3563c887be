import { isPoolPatch } from "../model/cluster/parts";
import type { PoolModel } from "../model/cluster/types";
import type { Difference } from "./differences";
import { said, within, type Asked, type ImpactRule, type Matched, type Saying } from "./impactRule";
import { findPool } from "./machines";

/** Does a difference belong to a pool? */
export const inPool = within("pool");

/** The patch that waits for a pool's nodes. */
export const inPatch = ({ resource }: Pick<Difference, "resource">): boolean => isPoolPatch(resource);

export interface PoolPair {
  readonly base: PoolModel;
  readonly head: PoolModel;
}

/** A rule about one pool that is on both sides. */
export const poolRule = (
  rule: Asked & Saying<[pool: PoolPair, matched: Matched, group: readonly Difference[]]>,
): ImpactRule => ({
  ...rule,
  match: (difference, clusters) => inPool(difference) && rule.match(difference, clusters),
  // The patch that waits for the pool changes with everything in it.
  claims: (difference, matched) =>
    (inPatch(difference) && difference.kind === "update") || rule.claims?.(difference, matched) === true,
  explain: (matched, clusters, group) => {
    const [{ part }] = matched;
    const [base, head] = [findPool(clusters.base, part.name), findPool(clusters.head, part.name)];
    return base && head && said(rule, { base, head }, matched, group);
  },
});
