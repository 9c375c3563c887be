/**
 * Number of results that are kept, the most recently used ones: enough for every pool and file of a large stack, and
 * few enough for a process that makes thousands of plans.
 */
const most = 1000;

/**
 * A function that remembers its results: a plan runs the program twice, and most results follow from the stack file
 * alone. Only for pure functions of plain values, whose results are never changed.
 */
export function memoize<Args extends readonly unknown[], Result>(
  compute: (...args: Args) => Result,
): (...args: Args) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = JSON.stringify(args);
    // `undefined` is a result, too: that a text cannot be parsed may cost more than parsing one that can.
    const result = results.has(key) ? (results.get(key) as Result) : compute(...args);
    // A map keeps the order of insertion, so the first entry is the least recently used one.
    results.delete(key);
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > most && oldest !== undefined) {
      results.delete(oldest);
    }
    return result;
  };
}
