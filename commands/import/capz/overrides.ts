import { patchProblems } from "../../../capi/overrides/overrides";
import { mergePatch } from "../../../capi/overrides/mergePatch";
import { mayBeSecret } from "../../../tools/problem";
import { at, list, textAt } from "../../../tools/untyped";
import type { LeftOut } from "../findings";
import { fieldsOf, type Difference } from "./compare";
import { reasonFor } from "./reasons";

type Plain = Record<string, unknown>;

/** Differences, sorted by what the import does with them. */
export interface Sorted {
  /** Merge patches by place and kind, as a stack file has them. */
  readonly overrides: readonly { readonly place: string; readonly kind: string; readonly patch: Plain }[];
  readonly leftOut: readonly LeftOut[];
  /** Fields of the source without a key, a reason or an override, as they are named in the report. */
  readonly unexplained: readonly string[];
}

/** The kind, pool and path of a difference, for the report; without its value, which may be a secret. */
export const fromOf = ({ kind, place, path }: Difference): string =>
  `${[kind, ...place.split(".").slice(1)].join(" ")} ${path}`;

/**
 * A list with the elements of both sides, where those of the source take precedence; the source's list if elements have
 * no name.
 */
function joinedList(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  const nameOf = (item: unknown): string => textAt(item, "name");
  return [...before, ...after].every((item) => nameOf(item) !== "")
    ? [...after.filter((item) => !before.some((own) => nameOf(own) === nameOf(item))), ...before].sort(
        (a, b) => (nameOf(a) < nameOf(b) ? -1 : 1),
      )
    : before;
}

/** Whether a value contains a text that may be a secret. */
const mayBeSecretIn = (value: unknown): boolean =>
  typeof value === "string" ? mayBeSecret(value) : Object.values(value ?? {}).some(mayBeSecretIn);

/** Files and commands of a pool, which the reader of its bootstrap data reports; but not kubelet's configuration. */
const isNodeEntry = ({ kind, path }: Difference): boolean =>
  kind.startsWith("KubeadmConfig") &&
  /(^|\.)(files\[(?!.*kubeletconfiguration)|(pre|post)KubeadmCommands)/.test(path);

/**
 * The merge patch that gives the plan's object the value of the source; a list is replaced as a whole.
 * @param refused - elements of lists that a reason leaves out
 */
function patchFor({ path, before, objects }: Difference, refused: readonly unknown[]): Plain {
  const { steps, list: isInList } = fieldsOf(path);
  const [own, made] = objects.map((object) => list(at(object, ...steps)));
  const value =
    isInList === undefined
      ? before
      : joinedList(
          (own ?? []).filter((item) => !refused.includes(item)),
          made ?? [],
        );
  return steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as Plain;
}

/**
 * Turns fields that the plan lacks into merge patches, unless a known reason explains the difference, the value may be a
 * secret, or an override of this field is not allowed. What only the plan has is what every stack has.
 * @param taken - paths of the stack file whose values its rules refused
 */
export function sorted(differences: readonly Difference[], taken: readonly string[]): Sorted {
  const overrides = new Map<string, { place: string; kind: string; patch: Plain }>();
  const leftOut: LeftOut[] = [];
  const unexplained: string[] = [];
  const found = differences
    .filter((difference) => difference.before !== undefined && !isNodeEntry(difference))
    .map((difference) => ({ difference, reason: reasonFor(difference, taken) }));
  const refused = found
    .filter(({ reason }) => reason !== undefined)
    .map(({ difference }) => difference.before);
  for (const { difference, reason } of found) {
    const { kind, place } = difference;
    const from = fromOf(difference);
    const patch = patchFor(difference, refused);
    const [problem] = patchProblems(kind, difference.objects[1], patch);
    if (reason !== undefined) {
      leftOut.push({ from, ...reason });
    } else if (mayBeSecretIn(difference.before)) {
      leftOut.push({ from, why: "it may be a secret", instead: "overrides, if the value is not secret" });
    } else if (problem !== undefined) {
      unexplained.push(from);
      leftOut.push({ from, why: problem.problem, instead: problem.allowed });
    } else {
      const key = `${place} ${kind}`;
      overrides.set(key, { place, kind, patch: mergePatch(overrides.get(key)?.patch, patch) as Plain });
    }
  }
  return { overrides: [...overrides.values()], leftOut, unexplained };
}
