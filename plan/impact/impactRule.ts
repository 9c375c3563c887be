import type { ChangeKind, PropertyChange } from "../compare/stackDiff";
import type { ClusterModel } from "../model/cluster/types";
import type { Difference } from "./differences";
import { formatChange } from "./format";
import type { Severity } from "./impact";
import { withoutUndefined } from "capz-windows-kit/without";

/** The clusters of two plans. A side is missing where it has no such stack. */
export interface ClusterPair {
  readonly base?: ClusterModel | undefined;
  readonly head?: ClusterModel | undefined;
}

/** What a rule says about one group of differences. */
export interface Explanation {
  readonly what: string;
  readonly why: string;
  /** Machines that are replaced or lost; default 0. */
  readonly nodes?: number;
  /** Where an autoscaler decides, how many at most. */
  readonly nodesAtMost?: number;
  readonly instead?: string;
  /** Commands for what `instead` says. */
  readonly commands?: readonly string[];
  /** Where the values decide it; otherwise that of the rule. */
  readonly severity?: Severity;
}

type Counted = Pick<Explanation, "nodes" | "nodesAtMost">;

/** What a rule says of what it matched: words of its own, or all of it by the values. It says nothing where it does not apply after all. */
export type Saying<A extends readonly unknown[]> =
  | ({
      readonly what: string | ((...about: A) => string | false | undefined);
      readonly nodes?: (...about: A) => number | Counted;
    } & Pick<Explanation, "why" | "instead">)
  | { readonly explain: (...about: A) => Explanation | false | undefined };

export function said<A extends readonly unknown[]>(
  saying: Saying<A>,
  ...about: A
): Explanation | false | undefined {
  if ("explain" in saying) {
    return saying.explain(...about);
  }
  const { what, why, instead, nodes = () => ({}) } = saying;
  const words = typeof what === "string" ? what : what(...about);
  if (!words) {
    return undefined;
  }
  const counted = nodes(...about);
  return {
    ...{ what: words, why },
    ...withoutUndefined({ instead }),
    ...(typeof counted === "number" ? { nodes: counted } : counted),
  };
}

/** At least one: a rule is asked only about what it matches. */
export type Matched = readonly [Difference, ...Difference[]];

/** When a rule is asked. */
export interface Asked {
  readonly id: string;
  /** Default: changes. */
  readonly severity?: Severity;
  /** What is refused is so in the workload cluster, when `pulumi up` has ended. */
  readonly later?: true;
  /** A URL, a file of an upstream project with its release, or "project" for a property of this program. */
  readonly source: string;
  /** Whether the rule is about a difference. */
  readonly match: (difference: Difference, clusters: ClusterPair) => boolean;
  /** What one line of the report is about: a part of the stack (a pool, the control plane), a resource, or the stack. */
  readonly per?: "part" | "resource" | "stack";
  /** Differences of the same group that the explanation covers too, beyond those that the rule matches. */
  readonly claims?: (difference: Difference, matched: readonly Difference[]) => boolean;
  /** The rule adds a remark, and leaves the differences for other rules to explain. */
  readonly informational?: boolean;
}

/** One piece of knowledge about what a change does. */
export type ImpactRule = Asked &
  Saying<[matched: Matched, clusters: ClusterPair, group: readonly Difference[]]>;

/** Matches properties of resources of some types; without a path, every property. */
export const touches =
  (types: string | readonly string[], path?: RegExp) =>
  (difference: Difference): boolean =>
    !difference.option &&
    [types].flat().includes(difference.type) &&
    (path === undefined || path.test(difference.path));

/** Matches whole resources of some types that are created, deleted or replaced. */
export const lifecycle =
  (kind: ChangeKind, ...types: readonly string[]) =>
  (difference: Difference): boolean =>
    difference.kind === kind && types.includes(difference.type);

/** Matches what belongs to a part of the stack. */
export const within =
  (...kinds: readonly Difference["part"]["kind"][]) =>
  ({ part }: Difference): boolean =>
    kinds.includes(part.kind);

/** The change of one property, where there is one. */
export const findChange = (differences: readonly Difference[], path: RegExp): PropertyChange | undefined =>
  differences.find((difference) => !difference.option && path.test(difference.path))?.property;

/** The same in words: "a → b". */
export function changeText(differences: readonly Difference[], path: RegExp): string {
  const { before, after } = findChange(differences, path) ?? {};
  return formatChange(before, after);
}
