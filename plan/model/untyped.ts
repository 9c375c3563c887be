/** Reading of objects whose shape nobody promised: any field on the way may be missing. */

type Plain = Readonly<Record<string, unknown>>;

export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((node, key) => (node as Plain | null | undefined)?.[key], value);

/** The text itself; of anything else an empty one. */
export const text = (value: unknown): string => (typeof value === "string" ? value : "");

export const textAt = (value: unknown, ...path: readonly string[]): string => text(at(value, ...path));

/** The elements of a list; of anything else none. */
export const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
