import { grouped } from "capz-windows-kit/grouped";
import type { StackDiff } from "../compare/stackDiff";
import type { Part } from "../model/cluster/parts";
import { parseUrn } from "../model/urn";
import { readCluster } from "../model/cluster/readCluster";
import { fallbackRule, impactRules } from "./allRules";
import { differencesOf, type Difference, type PlanPair } from "./differences";
import { severities, type Impact } from "./impact";
import { said, type ClusterPair, type Explanation, type ImpactRule, type Matched } from "./impactRule";
import { findPool } from "./machines";

/** The commands with the name of the stack, which is in each URN. */
const commandsFor = ([first]: readonly Difference[], { commands = [] }: Explanation): string[] =>
  commands.map((command) => command.replace("STACK", first ? parseUrn(first.resource.urn).stack : "STACK"));

const impact = (rule: ImpactRule, explanation: Explanation, covered: readonly Difference[]): Impact => ({
  severity: explanation.severity ?? rule.severity ?? "changes",
  ...(rule.later === undefined ? {} : { later: rule.later }),
  rule: rule.id,
  what: explanation.what,
  why: explanation.why,
  nodes: explanation.nodes ?? 0,
  ...(explanation.nodesAtMost === undefined ? {} : { nodesAtMost: explanation.nodesAtMost }),
  ...(explanation.instead === undefined ? {} : { instead: explanation.instead }),
  ...((explanation.commands ?? []).length === 0 ? {} : { commands: commandsFor(covered, explanation) }),
  source: rule.source,
  urns: [...new Set(covered.map(({ resource }) => resource.urn))].sort(),
});

const partKey = ({ part }: Difference): string => `${part.kind} ${part.name}`;

function groupKey(difference: Difference, per: ImpactRule["per"]): string {
  if (per === "stack") {
    return "";
  }
  return per === "resource" ? difference.resource.urn : partKey(difference);
}

/** A component is only worth a line where nothing that it contains changes, and other args alone change nothing. */
function withoutContainers(differences: readonly Difference[]): Difference[] {
  const changed = new Set(differences.filter(({ custom }) => custom).map(partKey));
  const isForArgs = ({ kind, property }: Difference): boolean =>
    (kind === "update" || kind === "replace") && property === undefined;
  return differences.filter(
    (difference) => difference.custom || !(isForArgs(difference) || changed.has(partKey(difference))),
  );
}

function apply(
  rule: ImpactRule,
  differences: readonly Difference[],
  clusters: ClusterPair,
): { readonly impacts: Placed[]; readonly rest: Difference[] } {
  const impacts: Placed[] = [];
  const claimed = new Set<Difference>();
  // Most rules match nothing of a comparison: only for the others it is put into groups.
  const matching = differences.filter((difference) => rule.match(difference, clusters));
  const keyOf = (difference: Difference): string => groupKey(difference, rule.per);
  const groups = matching.length === 0 ? undefined : grouped(differences, keyOf);
  for (const [key, matched] of grouped(matching, keyOf)) {
    const group = groups?.get(key) ?? matched;
    const [first, ...more] = matched;
    const explanation = first && said(rule, [first, ...more], clusters, group);
    const place = first ? placeOf([first], clusters) : 0;
    if (explanation && rule.informational === true) {
      impacts.push({ impact: impact(rule, explanation, matched), place });
    } else if (explanation) {
      const own = new Set(matched);
      const covered = group.filter(
        (difference) => own.has(difference) || rule.claims?.(difference, matched) === true,
      );
      impacts.push({ impact: impact(rule, explanation, covered), place });
      covered.forEach((difference) => claimed.add(difference));
    }
  }
  return { impacts, rest: differences.filter((difference) => !claimed.has(difference)) };
}

/** Parts of a stack in the order in which an `up` reaches them. Linux pools come before Windows pools. */
const partOrder: readonly Part["kind"][] = [
  ...(["network", "management", "other", "clusterApi", "cluster", "controlPlane", "addon"] as const),
  ...(["autoscaler", "pool", "sample"] as const),
];

interface Placed {
  readonly impact: Impact;
  /** When an `up` reaches it. */
  readonly place: number;
}

function placeOf([{ part }]: Matched, { base, head }: ClusterPair): number {
  const isWindows = (findPool(head, part.name) ?? findPool(base, part.name))?.os === "windows";
  return partOrder.indexOf(part.kind) + (part.kind === "pool" && isWindows ? 0.5 : 0);
}

/** What stops or destroys comes first, and what no machine notices last; all other effects stand in between. */
const tiers: Partial<Record<Impact["severity"], number>> = { refused: 0, destroys: 1, metadata: 3 };

const tierOf = ({ severity }: Impact): number => tiers[severity] ?? 2;

const inOrder = ({ impact: a, place }: Placed, { impact: b, place: other }: Placed): number =>
  tierOf(a) - tierOf(b) ||
  (tierOf(a) === 2 ? place - other : 0) ||
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  b.nodes - a.nodes ||
  (a.what < b.what ? -1 : 1);

/**
 * What a change means to the people who run the cluster: first what is refused or destroyed, then the rest in the order
 * in which it happens. The rules are asked in order; the first one that
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
  const found: Placed[] = [];
  for (const rule of [...impactRules, fallbackRule]) {
    const applied = apply(rule, rest, clusters);
    found.push(...applied.impacts);
    rest = applied.rest;
  }
  return found.sort(inOrder).map(({ impact }) => impact);
}
