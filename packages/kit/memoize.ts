/**
 * Number of results that are kept at least, the most recently used ones: enough for every pool and file of a large stack.
 * There are never more than twice as many, also in a process that makes thousands of plans.
 */
const keptByDefault = 500;

/**
 * A function that remembers its results: a plan runs the program twice, and most results follow from the stack file
 * alone. Only for pure functions of plain values, whose results are never changed.
 * @param kept - number of results, for those that are small and many
 */
export function memoize<Args extends readonly unknown[], Result>(
  compute: (...args: Args) => Result,
  kept = keptByDefault,
): (...args: Args) => Result {
  // Two generations: to delete one result after the other, and to find the oldest, takes longer than most computations.
  let recent = new Map<string, Result>();
  let former = new Map<string, Result>();
  return (...args) => {
    const [only] = args;
    // A text alone is a key itself, which takes a tenth of the time; no other key begins with a quote.
    const key = args.length === 1 && typeof only === "string" ? `"${only}` : JSON.stringify(args);
    // `undefined` is a result, too: that a text cannot be parsed may cost more than parsing one that can.
    if (recent.has(key)) {
      return recent.get(key) as Result;
    }
    const result = former.has(key) ? (former.get(key) as Result) : compute(...args);
    if (recent.size === kept) {
      former = recent;
      recent = new Map();
    }
    recent.set(key, result);
    return result;
  };
}
