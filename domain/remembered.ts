/**
 * Results that are kept, those used last: enough for every pool and file of a large stack, and few enough for a process
 * that makes thousands of plans.
 */
const most = 1000;

/**
 * A function that does not compute again what it has computed: a plan runs the program twice, and most of what it makes
 * follows from the stack file alone. Only for pure functions of plain values, whose results nobody changes.
 */
export function remembered<Args extends readonly unknown[], Result>(
  compute: (...args: Args) => Result,
): (...args: Args) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = results.get(key);
    const result = known ?? compute(...args);
    // A map keeps the order of insertion: the first is what was not used for the longest time.
    results.delete(key);
    results.set(key, result);
    const [oldest] = results.keys();
    if (results.size > most && oldest !== undefined) {
      results.delete(oldest);
    }
    return result;
  };
}
