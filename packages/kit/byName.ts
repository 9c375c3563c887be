/** The entries of a mapping by their keys, in an order that does not depend on the stack file's. */
export const byName = <T>(named: Readonly<Record<string, T>>): [name: string, value: T][] =>
  Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));

/** The order of two texts by their UTF-16 units, which is the same on every machine. */
export function compareTexts(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
