/** Results that are kept; more would fill the memory of a process that makes thousands of plans. */
const most = 200;

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
    if (known !== undefined) {
      return known;
    }
    const result = compute(...args);
    if (results.size >= most) {
      results.clear();
    }
    results.set(key, result);
    return result;
  };
}
