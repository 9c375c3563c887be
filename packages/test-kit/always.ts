import fc from "fast-check";

/** The body of a test: this is so for all values. */
export function always<Ts extends [unknown, ...unknown[]]>(
  ...args: [...arbitraries: { [K in keyof Ts]: fc.Arbitrary<Ts[K]> }, predicate: (...values: Ts) => void]
): () => void {
  return () => {
    fc.assert(fc.property<Ts>(...args));
  };
}
