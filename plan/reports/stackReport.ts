import { grouped } from "capz-windows-kit/grouped";
import { changedSecrets, changedState } from "../compare/authored";
import { fieldPath, itemPath } from "../compare/paths";
import { differences } from "../compare/properties";
import {
  isOptionOnly,
  kinds,
  type ChangeKind,
  type PropertyChange,
  type ResourceChange,
} from "../compare/stackDiff";
import { type Impact, type Severity, type StackComparison, severities } from "../impact/impact";
import type { Finding } from "capz-windows-kit/finding";
import type { ClusterModel } from "../model/cluster/types";
import type { Picture } from "./picture/boxes";
import type { StackCost } from "../cost/cost";
import type { Plan } from "../model/plan";

/** What a report says about one stack: its plan, how it differs from the base, or both. */
export interface StackReport {
  readonly stack: string;
  /** What a report that was read says first; one that was made here has the rest, from which it follows. */
  readonly headline?: string;
  /** Missing where the stack is removed or could not be planned. */
  readonly plan?: Plan;
  /** The version of the program that planned it, where it is known. */
  readonly program?: string;
  /** Missing where nothing was compared. */
  readonly comparison?: StackComparison;
  /** The cluster of the base; missing where nothing was compared, or the base has no such stack. */
  readonly base?: ClusterModel;
  /** What it costs; missing where its prices were not fetched. */
  readonly cost?: StackCost | undefined;
  /** What is found in the stack file; missing if not checked. */
  readonly findings?: readonly Finding[];
  /** Those of them that the base does not have; missing where nothing was compared, or nothing is known of the base. */
  readonly newFindings?: readonly Finding[];
  /** What a report that was read shows, without the clusters of which it is drawn. */
  readonly picture?: Picture;
}

/** Impacts of which one reason, and one way around, holds for all. */
export interface Reasoned {
  readonly first: Impact;
  readonly all: readonly Impact[];
}

export function byReason(impacts: readonly Impact[]): Reasoned[] {
  const groups = grouped(impacts, ({ severity, why, instead, commands }) =>
    JSON.stringify([severity, why, instead, commands]),
  );
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : { first, all };
  });
}

export const pastTense: Readonly<Record<ChangeKind, string>> = {
  delete: "deleted",
  replace: "replaced",
  update: "changed",
  create: "created",
};

/** How reports show each severity. */
export const severityWords: Readonly<Record<Severity, { readonly sign: string; readonly label: string }>> = {
  refused: { sign: "⛔", label: "refused" },
  destroys: { sign: "🔴", label: "destroys" },
  replaces: { sign: "🟠", label: "replaces" },
  rolls: { sign: "🟡", label: "rolls" },
  changes: { sign: "🔵", label: "changes" },
  metadata: { sign: "⚪", label: "metadata" },
};

export const ofKind = (changes: readonly ResourceChange[], kind: ChangeKind): ResourceChange[] =>
  changes.filter((change) => change.kind === kind);

export const worst = ({ impacts }: StackComparison): Severity | undefined =>
  severities.find((severity) => impacts.some((impact) => impact.severity === severity));

const stopsUp = ({ severity, later }: Impact): boolean => severity === "refused" && later !== true;

/** Protection comes last, and without its way out where another reason refuses the change as well. */
function refusals(refused: readonly Impact[]): readonly Impact[] {
  const others = refused.filter(({ rule }) => rule !== "protected");
  const kept = refused.filter(({ rule }) => rule === "protected");
  return others.length === 0 ? refused : [...others, ...kept.map(withoutWayOut)];
}

function withoutWayOut(impact: Impact): Impact {
  const { instead, commands, ...rest } = impact;
  return instead === undefined && commands === undefined ? impact : rest;
}

/**
 * The impacts that will happen: if something is refused, `pulumi up` stops there, and the other impacts are not worth
 * reading before that is fixed.
 */
export function whatHappens(comparison: StackComparison): StackComparison {
  // Pulumi deletes nothing by itself.
  if (comparison.status === "removed") {
    return { ...comparison, changes: [], outputs: [], nodes: [] };
  }
  const refused = refusals(comparison.impacts.filter(stopsUp));
  const urns = new Set(refused.flatMap((impact) => impact.urns));
  return refused.length === 0
    ? comparison
    : {
        ...comparison,
        impacts: refused,
        changes: comparison.changes.filter(({ urn }) => urns.has(urn)),
        outputs: [],
        nodes: [],
      };
}

/** A note for readers of the report of a refused change. */
export const refusedNote = "`pulumi up` stops at what is refused; the rest of the change is left out here.";

export const isRefused = ({ impacts }: StackComparison): boolean => impacts.some(stopsUp);

/** The cluster as it will be; one whose change is refused stays as it is. */
export function shownCluster({ plan, comparison, base }: StackReport): ClusterModel | undefined {
  return comparison !== undefined && isRefused(comparison) ? base : (plan?.cluster ?? base);
}

const programPath = "version of the program";

/** Where it is written what each version does to machines: an installed package has the page. */
const changelog = /[\\/]node_modules[\\/]capz-windows[\\/]/.test(__dirname)
  ? 'node_modules/capz-windows/CHANGELOG.md, "Rolls machines"'
  : 'CHANGELOG.md, "Rolls machines"';

/** Characters of a value that no report cuts. */
const mostOfValue = 100;

/** The parts of a value that each fit into a line. */
function partsOf(path: string, value: unknown): [path: string, value: unknown][] {
  if (typeof value !== "object" || value === null || JSON.stringify(value).length <= mostOfValue) {
    return [[path, value]];
  }
  return Array.isArray(value)
    ? value.flatMap((item, index) => partsOf(itemPath(path, index), item))
    : Object.entries(value).flatMap(([key, inner]) => partsOf(fieldPath(path, key), inner));
}

/** A large value has a line for each part: what is cut away from a line, nobody reviews. */
function inParts(change: PropertyChange): PropertyChange[] {
  if (change.text !== undefined) {
    return [change];
  }
  const [before, after] = [partsOf(change.path, change.before), partsOf(change.path, change.after)];
  return before.length > 1 || after.length > 1
    ? [
        ...before.flatMap(([path, value]) => differences(value, undefined, undefined, path)),
        ...after.flatMap(([path, value]) => differences(undefined, value, undefined, path)),
      ]
    : [change];
}

/** What the author did, as properties: the keys of the stack file, and the version of the program. */
export const authoredProperties = ({ authored }: StackComparison): readonly PropertyChange[] => [
  ...(authored?.program ? [{ path: programPath, ...authored.program }] : []),
  ...(authored?.config ?? []).flatMap(inParts),
];

/** Where to read why another version of the program changes anything. */
export function noteOf(change: PropertyChange): string | undefined {
  if (changedSecrets({ config: [change] }).length > 0) {
    return "a plan decrypts no secret, so what follows is not shown: the objects that have it are updated";
  }
  return change.path === programPath ? `why: ${changelog}` : undefined;
}

/** Smaller is worse. */
function rank({ comparison }: StackReport): number {
  const severity = comparison && worst(comparison);
  const known = severity ? severities.indexOf(severity) : severities.length;
  return comparison?.status === "failed" ? 0 : known + 1;
}

/** Worst first, then by name. */
export const byWorst = (reports: readonly StackReport[]): StackReport[] =>
  [...reports].sort((a, b) => rank(a) - rank(b) || (a.stack < b.stack ? -1 : 1));

/** Machines that a change replaces or deletes: "3", "5 to 13" where an autoscaler decides; empty where none. */
export function nodesTouched(comparison: StackComparison): string {
  const { impacts } = whatHappens(comparison);
  const least = impacts.reduce((sum, { nodes }) => sum + nodes, 0);
  const most = impacts.reduce((sum, { nodes, nodesAtMost = nodes }) => sum + nodesAtMost, 0);
  if (most === 0) {
    return "";
  }
  return least === most ? String(most) : `${least} to ${most}`;
}

/** Whether anything differs. */
export const differs = ({ status, changes, outputs, nodes, authored }: StackComparison): boolean =>
  status !== "compared" ||
  changes.length > 0 ||
  outputs.length > 0 ||
  nodes.length > 0 ||
  changedSecrets(authored).length > 0 ||
  changedState(authored).length > 0;

/** "1 replaced, 3 changed, 50 unchanged", as Pulumi counts resources. */
export function resourceCounts({ status, changes, unchanged }: StackComparison): string {
  if (status === "removed") {
    return `nothing is deleted, ${changes.length} stay as they are`;
  }
  const onlyOptions = changes.filter(isOptionOnly);
  const counted = changes.filter((change) => !isOptionOnly(change));
  const counts = [
    ...kinds.map((kind) => ({ count: ofKind(counted, kind).length, word: pastTense[kind] })),
    { count: onlyOptions.length, word: "only in an option of Pulumi" },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, word }) => `${count} ${word}`);
  const summary = counts.length > 0 ? counts.join(", ") : "none changed";
  return `${summary}${unchanged > 0 ? `, ${unchanged} unchanged` : ""}`;
}
