import type { Document } from "yaml";

/** The value of a YAML document whose aliases make it neither endless nor larger than a limit. */

export type YamlFault = "endless" | "large";

/**
 * Number of values, each alias counted with all that its anchor has; `Infinity` for one that contains itself. Aliases share
 * one value in memory, and multiply only when they are written or read one by one.
 */
function sizeOf(value: unknown, known: Map<object, number>): number {
  if (typeof value !== "object" || value === null) {
    return 1;
  }
  const before = known.get(value);
  if (before !== undefined) {
    return before;
  }
  // Until its size is known, whoever meets it again is inside of it.
  known.set(value, Infinity);
  const size = Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner, known), 1);
  known.set(value, size);
  return size;
}

/** @param most - number of values that the caller can read in a moment */
export function plainYaml(
  document: Document.Parsed,
  most: number,
): { readonly value: unknown } | { readonly fault: YamlFault } {
  // Reading multiplies nothing, because aliases share a value; the bound is the size. The package's own bound throws.
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const size = sizeOf(value, new Map());
  return size <= most ? { value } : { fault: size === Infinity ? "endless" : "large" };
}
