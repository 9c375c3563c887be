import { overrideProblems } from "../../domain/capi/overrides/overrides";
import { mayBeSecret } from "../../domain/problem";
import { at, isRecord } from "../../domain/untyped";
import type { Difference, ListOnTheWay } from "./compare";
import { pathOf } from "./compare";
import type { LeftOut } from "../findings";
import { reasonFor } from "./reasons";

/** Differences, sorted by what the import does with them. */
export interface Sorted {
  /** Merge patches by place and kind, as a stack file has them. */
  readonly overrides: readonly { readonly place: string; readonly kind: string; readonly patch: Plain }[];
  readonly leftOut: readonly LeftOut[];
  /** Differences that neither the table of reasons nor a guard explains. */
  readonly unexplained: readonly Difference[];
}

type Plain = Record<string, unknown>;

const nested = (path: readonly string[], value: unknown): Plain => {
  const [key = "", ...rest] = path;
  return { [key]: rest.length === 0 ? value : nested(rest, value) };
};

const merged = (a: Plain, b: Plain): Plain => {
  const result = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const own = result[key];
    result[key] = isRecord(own) && isRecord(value) ? merged(own, value) : value;
  }
  return result;
};

const wordsOf = ({ kind, place }: Difference): string =>
  `${kind}${place === "" || place === "controlPlane" ? "" : ` ${place.split(".").slice(1).join(".")}`}`;

/** The kind, pool and path of a difference, for the report; without its value, which may be a secret. */
const fromOf = (difference: Difference): string => `${wordsOf(difference)} ${pathOf(difference)}`;

/**
 * A list with the elements of both sides, where those of the source take precedence; the source's list if elements have
 * no name.
 */
function joinedList({ before, after }: ListOnTheWay): readonly unknown[] {
  const nameOf = (item: unknown): unknown => at(item, "name");
  return [...before, ...after].every((item) => typeof nameOf(item) === "string")
    ? [...after.filter((item) => !before.some((own) => nameOf(own) === nameOf(item))), ...before].sort(
        (a, b) => (String(nameOf(a)) < String(nameOf(b)) ? -1 : 1),
      )
    : before;
}

/** Whether a value contains a text that may be a secret. */
const mayBeSecretIn = (value: unknown): boolean =>
  typeof value === "string"
    ? mayBeSecret(value)
    : typeof value === "object" &&
      value !== null &&
      Object.entries(value).some(([, inner]) => mayBeSecretIn(inner));

/** The merge patch that gives the plan's object the value of the source. */
function patchFor({ path, before, list }: Difference, refusedNames: readonly unknown[]): Plain {
  return list === undefined
    ? nested(path, before)
    : nested(
        list.path,
        joinedList({ ...list, before: list.before.filter((item) => !refusedNames.includes(item)) }),
      );
}

/**
 * Turns fields that the plan lacks into merge patches, unless a known reason explains the difference, the value may be a
 * secret, or an override of this field is not allowed.
 * @param taken - paths of the stack file whose values its rules refused
 */
export function sorted(differences: readonly Difference[], taken: readonly string[]): Sorted {
  const overrides = new Map<string, { place: string; kind: string; patch: Plain }>();
  const leftOut: LeftOut[] = [];
  const unexplained: Difference[] = [];
  // Elements of lists that a reason leaves out. They must not be restored by a patch of the whole list.
  const refused = differences
    .filter((difference) => reasonFor(difference, taken) !== undefined)
    .map(({ before }) => before)
    .filter((before) => before !== undefined);
  for (const difference of differences) {
    const { kind, place, before } = difference;
    const reason = reasonFor(difference, taken);
    const from = fromOf(difference);
    if (reason !== undefined) {
      if (before !== undefined) {
        leftOut.push({ from, ...reason });
      }
      continue;
    }
    if (before === undefined) {
      unexplained.push(difference);
      continue;
    }
    const patch = patchFor(difference, refused);
    if (mayBeSecretIn(before)) {
      leftOut.push({
        from,
        why: "it may be a secret",
        instead: "overrides, with what is none",
      });
      continue;
    }
    const [problem] = overrideProblems(kind, patch);
    if (problem !== undefined) {
      unexplained.push(difference);
      leftOut.push({ from, why: problem.problem, instead: problem.allowed });
      continue;
    }
    const key = `${place} ${kind}`;
    const known = overrides.get(key);
    overrides.set(key, { place, kind, patch: known === undefined ? patch : merged(known.patch, patch) });
  }
  return { overrides: [...overrides.values()], leftOut, unexplained };
}
