import type { ChangeKind, PropertyChange } from "../compare/stackDiff";
import type { Severity } from "./impact";
import type { Fact, Scene } from "./facts";

/** What a row of the table has to say about one group of facts. */
export interface Told {
  readonly what: string;
  readonly why: string;
  /** Machines that are replaced or lost; default 0. */
  readonly nodes?: number;
  readonly instead?: string;
  /** Where it hangs on the values; else the row's own. */
  readonly severity?: Severity;
}

/** One piece of knowledge. */
export interface Row {
  readonly rule: string;
  readonly severity: Severity;
  /** A URL, a file of an upstream project with its release, or "project" for a property of this program. */
  readonly source: string;
  /** Facts that it is about. */
  readonly match: (fact: Fact, scene: Scene) => boolean;
  /** One line for each subject (a pool, the control plane), each resource, or the stack. Default: subject. */
  readonly per?: "subject" | "resource" | "stack";
  /** Facts of the same group that it explains along with those that it is about. */
  readonly claims?: (fact: Fact, about: readonly Fact[]) => boolean;
  /** Says something beside the rows that explain the facts, and leaves the facts to these. */
  readonly adds?: boolean;
  /** @returns nothing when the row does not hold for these facts after all */
  readonly tell: (
    facts: readonly [Fact, ...Fact[]],
    scene: Scene,
    group: readonly Fact[],
  ) => Told | undefined;
}

/** Facts about properties of some types; `undefined` means every path. */
export const about =
  (types: string | readonly string[], path?: RegExp) =>
  (fact: Fact): boolean =>
    !fact.option && [types].flat().includes(fact.type) && (path === undefined || path.test(fact.path));

/** Resources of some types that come or go. */
export const coming =
  (kind: ChangeKind, ...types: readonly string[]) =>
  (fact: Fact): boolean =>
    fact.kind === kind && types.includes(fact.type);

/** The fact about one path, where there is one. */
export const find = (facts: readonly Fact[], path: RegExp): PropertyChange | undefined =>
  facts.find((fact) => !fact.option && path.test(fact.path))?.property;
