import type { ListType } from "capz-types/crds/listTypes";

/**
 * How the lists of a value are compared. As for the API server, a list without a type is atomic: its order counts. The
 * order of a set or a map does not; a map also says which fields tell its elements apart.
 */
export interface ListRules {
  readonly type: ListType;
  /** The rules below it: by field, `[]` for the elements of a list, `*` for any key of a map. */
  readonly inner: ReadonlyMap<string, ListRules>;
}

/** List types by path, for instance `spec.networkSpec.subnets[].serviceEndpoints`. */
export type ListTable = Readonly<Record<string, ListType>>;

const noRules: ListRules = { type: "atomic", inner: new Map() };

type Entry = readonly [steps: readonly string[], type: ListType];

function tree(entries: readonly Entry[]): ListRules {
  const [, type = "atomic"] = entries.find(([steps]) => steps.length === 0) ?? [];
  const inner = new Map<string, Entry[]>();
  for (const [[first, ...rest], entryType] of entries) {
    if (first !== undefined) {
      inner.set(first, [...(inner.get(first) ?? []), [rest, entryType]]);
    }
  }
  return { type, inner: new Map([...inner].map(([step, part]) => [step, tree(part)])) };
}

/** A table as a tree, through which a comparison descends together with the values. */
export const listRules = (table: ListTable): ListRules =>
  tree(Object.entries(table).map(([path, type]) => [path.replaceAll("[]", ".[]").split("."), type]));

/** The rules one step further down. */
export const below = ({ inner }: ListRules, step: string): ListRules =>
  inner.get(step) ?? inner.get("*") ?? noRules;

/** Fields by which people identify an element, best first. They say nothing about the order. */
const nameFields = ["name", "key", "path", "id", "providerID", "nameSuffix", "mountPath", "lun"];

/** For a map, as few of its keys as necessary, so that an argument with another value is reported as one change. */
const candidates = (type: ListType): readonly (readonly string[])[] =>
  typeof type === "string"
    ? nameFields.map((field) => [field])
    : type.map((_, index) => type.slice(0, index + 1));

const isKey = (value: unknown): value is string | number =>
  typeof value === "string" || typeof value === "number";

/**
 * The key of each element, when every element of both lists has one of the same fields and no two of a list share it;
 * `undefined` otherwise.
 */
export function keysOf(
  before: readonly unknown[],
  after: readonly unknown[],
  type: ListType,
): readonly [string[], string[]] | undefined {
  for (const fields of candidates(type)) {
    const read = (list: readonly unknown[]) =>
      list.map((item) => fields.map((field) => (item as Record<string, unknown> | null)?.[field]));
    const sides = [read(before), read(after)];
    const [base = [], head = []] = sides.map((keys) => keys.map((parts) => parts.join(",")));
    const isUnique = [base, head].every((keys) => new Set(keys).size === keys.length);
    if (isUnique && sides.every((keys) => keys.every((parts) => parts.every(isKey)))) {
      return [base, head];
    }
  }
  return undefined;
}
