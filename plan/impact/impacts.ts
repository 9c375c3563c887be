import type { StackDiff } from "../compare/stackDiff";
import type { Impact } from "./impact";
import { severities } from "./impact";
import type { Fact, Scene } from "./facts";
import { factsOf } from "./facts";
import type { Row, Told } from "./row";
import { fallback, table } from "./table";

const impact = (row: Row, told: Told, facts: readonly Fact[]): Impact => ({
  severity: told.severity ?? row.severity,
  rule: row.rule,
  what: told.what,
  why: told.why,
  nodes: told.nodes ?? 0,
  ...(told.instead === undefined ? {} : { instead: told.instead }),
  source: row.source,
  urns: [...new Set(facts.map(({ resource }) => resource.urn))].sort(),
});

function groupsOf(facts: readonly Fact[], per: Row["per"]): Fact[][] {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) {
    const key = per === "stack" ? "" : per === "resource" ? fact.resource.urn : fact.subject;
    groups.set(key, [...(groups.get(key) ?? []), fact]);
  }
  return [...groups.values()];
}

/** Components are only worth a line where nothing in them changes. */
function worthTelling(facts: readonly Fact[]): Fact[] {
  const told = new Set(facts.filter(({ custom }) => custom).map(({ subject }) => subject));
  return facts.filter(({ custom, subject }) => custom || !told.has(subject));
}

function apply(row: Row, facts: readonly Fact[], scene: Scene): { impacts: Impact[]; left: Fact[] } {
  const impacts: Impact[] = [];
  const claimed = new Set<Fact>();
  for (const group of groupsOf(facts, row.per)) {
    const matched = group.filter((fact) => row.match(fact, scene));
    const [first, ...more] = matched;
    const told = first && row.tell([first, ...more], scene, group);
    if (told) {
      const mine = group.filter((fact) => matched.includes(fact) || row.claims?.(fact, matched) === true);
      impacts.push(impact(row, told, row.adds === true ? matched : mine));
      mine.forEach((fact) => claimed.add(fact));
    }
  }
  return { impacts, left: row.adds === true ? [...facts] : facts.filter((fact) => !claimed.has(fact)) };
}

const bySeverity = (a: Impact, b: Impact): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  b.nodes - a.nodes ||
  (a.what < b.what ? -1 : 1);

/**
 * What a change means to the people who run the cluster, worst first. The rows of the table are asked one after
 * another; each fact is explained by the first that knows it, and what none knows is told as a change all the same.
 */
export function impactsOf({ raw, ...scene }: Scene & { readonly raw: Pick<StackDiff, "changes"> }): Impact[] {
  let left = worthTelling(factsOf(raw.changes, scene));
  const found: Impact[] = [];
  for (const row of [...table, fallback]) {
    const { impacts, left: rest } = apply(row, left, scene);
    found.push(...impacts);
    left = rest;
  }
  return found.sort(bySeverity);
}
