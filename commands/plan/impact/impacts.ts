import type { StackDiff } from "../compare/stackDiff";
import { readCluster } from "../model/cluster/readCluster";
import { fallbackRule, impactRules } from "./allRules";
import { differencesOf, type Difference, type PlanPair } from "./differences";
import { severities, type Impact } from "./impact";
import type { ClusterPair, Explanation, ImpactRule } from "./impactRule";

const impact = (rule: ImpactRule, explanation: Explanation, covered: readonly Difference[]): Impact => ({
  severity: explanation.severity ?? rule.severity,
  ...(rule.later === undefined ? {} : { later: rule.later }),
  rule: rule.id,
  what: explanation.what,
  why: explanation.why,
  nodes: explanation.nodes ?? 0,
  ...(explanation.instead === undefined ? {} : { instead: explanation.instead }),
  ...((explanation.commands ?? []).length === 0 ? {} : { commands: explanation.commands }),
  source: rule.source,
  urns: [...new Set(covered.map(({ resource }) => resource.urn))].sort(),
});

const partKey = ({ part }: Difference): string => `${part.kind} ${part.name}`;

function groupsOf(differences: readonly Difference[], per: ImpactRule["per"]): Difference[][] {
  const groups = new Map<string, Difference[]>();
  for (const difference of differences) {
    const key = per === "stack" ? "" : per === "resource" ? difference.resource.urn : partKey(difference);
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  return [...groups.values()];
}

/** A component is only worth a line where nothing that it contains changes, and other args alone change nothing. */
function withoutContainers(differences: readonly Difference[]): Difference[] {
  const changed = new Set(differences.filter(({ custom }) => custom).map(partKey));
  const isForArgs = ({ kind, property }: Difference): boolean => kind === "update" && property === undefined;
  return differences.filter(
    (difference) => difference.custom || !(isForArgs(difference) || changed.has(partKey(difference))),
  );
}

function apply(
  rule: ImpactRule,
  differences: readonly Difference[],
  clusters: ClusterPair,
): { readonly impacts: Impact[]; readonly rest: Difference[] } {
  const impacts: Impact[] = [];
  const claimed = new Set<Difference>();
  for (const group of groupsOf(differences, rule.per)) {
    const matched = group.filter((difference) => rule.match(difference, clusters));
    const [first, ...more] = matched;
    const explanation = first && rule.explain([first, ...more], clusters, group);
    if (explanation && rule.informational === true) {
      impacts.push(impact(rule, explanation, matched));
    } else if (explanation) {
      const covered = group.filter(
        (difference) => matched.includes(difference) || rule.claims?.(difference, matched) === true,
      );
      impacts.push(impact(rule, explanation, covered));
      covered.forEach((difference) => claimed.add(difference));
    }
  }
  return { impacts, rest: differences.filter((difference) => !claimed.has(difference)) };
}

const bySeverity = (a: Impact, b: Impact): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  b.nodes - a.nodes ||
  (a.what < b.what ? -1 : 1);

/**
 * What a change means to the people who run the cluster, worst first. The rules are asked in order; the first one that
 * knows a difference explains it, and the fallback reports what none of them knows.
 * @param pair the two plans, and how they differ
 */
export function impactsOf({
  base,
  head,
  diff,
}: PlanPair & { readonly diff: Pick<StackDiff, "changes"> }): Impact[] {
  const clusters: ClusterPair = { base: base && readCluster(base), head: head && readCluster(head) };
  let rest = withoutContainers(differencesOf(diff.changes, { base, head }));
  const found: Impact[] = [];
  for (const rule of [...impactRules, fallbackRule]) {
    const applied = apply(rule, rest, clusters);
    found.push(...applied.impacts);
    rest = applied.rest;
  }
  return found.sort(bySeverity);
}
