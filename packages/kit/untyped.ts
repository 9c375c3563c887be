/**
 * Readers for values whose shape has not been checked: anything on the path to a field may be missing or have another
 * type.
 */

/** A mapping of values whose shape is not known. */
export type Plain = Readonly<Record<string, unknown>>;

/** Whether a value is a mapping, so neither a list nor `null`. */
export const isRecord = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** All mappings in a value, each once, in their order: a list of YAML may have the same one very often. */
export function mappingsIn(value: unknown): Plain[] {
  const seen = new Set<unknown>();
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "object" && next !== null && !seen.has(next)) {
      seen.add(next);
      open.push(...(Object.values(next) as unknown[]).reverse());
    }
  }
  return [...seen].filter(isRecord);
}

/** The value of a key of a table: nothing for `constructor` and other names that every object of JavaScript has. */
export const ownValue = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;

/** The value at the end of a path of keys, or `undefined` if a step is missing. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (node as Plain | null | undefined)?.[key], value);

/** The value when it is a string, otherwise "". */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

export const textAt = (value: unknown, ...path: readonly string[]): string => text(at(value, ...path));

/** The value when it is a number, otherwise `undefined`. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" ? found : undefined;
}

/** The value when it is a number of things, so whole and not negative, otherwise `undefined`. */
export function countAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = numberAt(value, ...path);
  return Number.isSafeInteger(found) && Number(found) >= 0 ? found : undefined;
}

/** The elements of a list that are not null, otherwise none. Read the fields of an element with the functions above. */
export const list = (value: unknown): Plain[] =>
  Array.isArray(value)
    ? (value as (Plain | null | undefined)[]).filter((element) => element !== null && element !== undefined)
    : [];

/** The texts, numbers and truths of a list as strings, otherwise none. */
export const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((element) => typeof element !== "object").map(String) : [];

/** The text values of a mapping, such as labels. */
export const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
