import { fieldSchema, objectSchema, type Schema } from "../../../capi/overrides/crdSchema";
import { patchProblems } from "../../../capi/overrides/overrides";
import { keptLists } from "../../../capi/overrides/guards";
import { mergePatch } from "capz-windows-kit/mergePatch";
import { mayBeSecret } from "capz-windows-kit/problem";
import { at, list, textAt, type Plain } from "capz-windows-kit/untyped";
import type { LeftOut } from "../findings";
import { missingIn, variableIn } from "../variables";
import type { Reason } from "./boilerplate";
import { fieldsOf, type SourceDifference } from "./compare";
import { ofVariables, reasonFor } from "./reasons";

/** Differences, sorted by what the import does with them. */
export interface Sorted {
  /** Merge patches by place and kind, as a stack file has them. */
  readonly overrides: readonly { readonly place: string; readonly kind: string; readonly patch: Plain }[];
  readonly leftOut: readonly LeftOut[];
}

/** Kind and path in the source of a field of a Linux pool of single machines, which is a scale set in the plan. */
function inSource({ kind, source, path }: SourceDifference): [kind: string, path: string] {
  if (kind === source || source === "MachineDeployment") {
    return [source, path];
  }
  if (path.startsWith("spec.strategy")) {
    return ["MachineDeployment", path.replace("spec.", "spec.rollout.")];
  }
  const start = source === "AzureMachineTemplate" ? /^spec\.(template\.)?/ : /^spec\./;
  return [source, path.replace(start, "spec.template.spec.")];
}

/** The kind, pool and path of a difference in the source, for the report; without its value, which may be a secret. */
export function fromOf(difference: SourceDifference): string {
  const [kind, path] = inSource(difference);
  return `${[kind, ...difference.place.split(".").slice(1)].join(" ")} ${path}`;
}

const nameOf = (item: unknown): string => textAt(item, "name");

/** A list with the elements of both sides, where those of the first take precedence. */
const joined = (first: readonly Plain[], second: readonly Plain[]): readonly Plain[] =>
  [...second.filter((item) => !first.some((own) => nameOf(own) === nameOf(item))), ...first].sort((a, b) =>
    nameOf(a) < nameOf(b) ? -1 : 1,
  );

const isKept = (list: string): boolean => keptLists.some((kept) => kept.test(list));

/** The elements of the source that the program has too, in a list of which an override may not change them. */
function sameElements({ path, objects: [before, after] }: SourceDifference): readonly Plain[] {
  const { steps, list: inList } = fieldsOf(path);
  const names = list(at(after, ...steps)).map(nameOf);
  return inList !== undefined && isKept(inList)
    ? list(at(before, ...steps)).filter((item) => names.includes(nameOf(item)))
    : [];
}

/** An override has the whole list, and what the program computes in it is known when its variables are. */
function ofNeighbours(elements: readonly Plain[]): Reason | undefined {
  const names = elements.filter((item) => ofVariables(item) !== undefined).map(nameOf);
  return ofVariables(elements, `an override has the whole list, of which ${names.join(", ")}`);
}

const mayBeSecretIn = (value: unknown): boolean =>
  typeof value === "string" ? mayBeSecret(value) : Object.values(value ?? {}).some(mayBeSecretIn);

/** Files and commands of a pool, which the reader of its bootstrap data reports; but not kubelet's configuration. */
const isNodeEntry = ({ kind, path }: SourceDifference): boolean =>
  kind.startsWith("KubeadmConfig") &&
  /(^|\.)(files\[(?!.*kubeletconfiguration)|(pre|post)KubeadmCommands)/.test(path);

/** An identity of a pool whose name has variables is in `identityIds`, and differs only from the example in the plan. */
const isAskedIdentity = ({ place, path, before }: SourceDifference, taken: readonly string[]): boolean =>
  place.includes("Pools.") &&
  path.includes("userAssignedIdentities") &&
  ofVariables(before) !== undefined &&
  !taken.some((one) => one.startsWith(`${place}.identityIds`));

/**
 * The merge patch that gives the plan's object the value of the source. Of a list it has all elements: those of the source, if
 * they have no names.
 * @param refused - elements of lists that a reason leaves out
 */
function patchFor({ path, before, objects: [source, plan] }: SourceDifference, refused: readonly unknown[]) {
  const { steps, list: inList } = fieldsOf(path);
  const mine = list(at(source, ...steps)).filter((item) => !refused.includes(item));
  const theirs = list(at(plan, ...steps));
  const value = (): unknown => {
    if (inList === undefined) {
      return before;
    }
    if ([...mine, ...theirs].some((item) => nameOf(item) === "")) {
      return mine;
    }
    return isKept(inList) ? joined(theirs, mine) : joined(mine, theirs);
  };
  return steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value()) as Plain;
}

/** Why an override may not set a field; nothing where it may. */
function patchReason(difference: SourceDifference, patch: Plain): Reason | undefined {
  const { kind, place, path, before, objects } = difference;
  if (sameElements(difference).some((item) => path.includes(`[${nameOf(item)}].`))) {
    return {
      why: "the program computes this itself, from what a stack file says, and an override may not change it",
    };
  }
  if (mayBeSecretIn(before)) {
    return { why: "it may be a secret", instead: "overrides, if the value is not secret" };
  }
  const [problem] = patchProblems(kind, objects[1], patch, `${place}.`);
  if (problem === undefined) {
    return undefined;
  }
  const field = fieldsOf(path).steps.reduce<Schema | undefined>(
    (schema, step) => schema && fieldSchema(schema, step),
    objectSchema(kind),
  );
  const reason = { why: problem.problem, instead: problem.allowed };
  return field === undefined ? { ...reason, unknown: true } : reason;
}

/** The name of a VNET or a subnet of others has variables that the user is asked for in network.existing or peerings. */
function isAskedNetwork({ path, before, objects: [source] }: SourceDifference, asked: ReadonlySet<string>) {
  const names = missingIn(JSON.stringify(before));
  return (
    (path.startsWith("spec.networkSpec.vnet.peerings") ||
      (/^spec\.networkSpec\.(vnet\.|subnets\[)/.test(path) &&
        textAt(source, "spec", "networkSpec", "vnet", "resourceGroup") !== "")) &&
    names.length > 0 &&
    names.every((name) => asked.has(name))
  );
}

/** A variable that the user is asked for, or a list of one. */
function isAsked(value: unknown, asked: ReadonlySet<string>): boolean {
  const [first, ...others] = [value].flat();
  return others.length === 0 && asked.has(variableIn(first) ?? "");
}

/**
 * Turns fields that the plan lacks into merge patches, unless a known reason explains the difference, the value may be a
 * secret, or an override of this field is not allowed. What only the plan has is what every stack has.
 * @param taken - paths of the stack file whose values its rules refused
 * @param asked - variables that the user is asked for: a field that is one of them will be as in the source
 */
export function sorted(
  differences: readonly SourceDifference[],
  taken: readonly string[],
  asked: ReadonlySet<string>,
): Sorted {
  const overrides = new Map<string, { place: string; kind: string; patch: Plain }>();
  const leftOut: LeftOut[] = [];
  const found = differences
    .filter(({ before }) => before !== undefined && !isAsked(before, asked))
    .filter(
      (difference) =>
        !isNodeEntry(difference) && !isAskedIdentity(difference, taken) && !isAskedNetwork(difference, asked),
    )
    .map((difference) => ({ difference, known: reasonFor(difference, taken) }));
  const refused = found.flatMap(({ known, difference: { before } }) => (known === undefined ? [] : [before]));
  for (const { difference, known } of found) {
    const { kind, place } = difference;
    const patch = patchFor(difference, refused);
    const reason = known ?? ofNeighbours(sameElements(difference)) ?? patchReason(difference, patch);
    if (reason === undefined) {
      const key = `${place} ${kind}`;
      overrides.set(key, { place, kind, patch: mergePatch(overrides.get(key)?.patch, patch) as Plain });
    } else {
      leftOut.push({ from: fromOf(difference), ...reason });
    }
  }
  return { overrides: [...overrides.values()], leftOut };
}
