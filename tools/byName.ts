/** The entries of a mapping by their keys, in an order that does not depend on the stack file's. */
export const byName = <T>(named: Readonly<Record<string, T>>): [name: string, value: T][] =>
  Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
