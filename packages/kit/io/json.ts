import { TooLargeError } from "./exchange";

/** The JSON of answers: what it takes in memory is bounded before it is made, and a page for people is none. */

/** A page of 500 objects has fewer; an answer of many small ones takes twenty times its size. */
const mostValues = 1_000_000;

const [quote, backslash] = [0x22, 0x5c];

/** What is before a value: , [ { */
const beginsValue = (code: number): boolean => code === 0x2c || code === 0x5b || code === 0x7b;

/** [ { go in, and ] } out. */
const levelsOf = (code: number): number =>
  Number(code === 0x5b || code === 0x7b) - Number(code === 0x5d || code === 0x7d);

/** Of objects and lists in one another; Kubernetes' own have some dozens, and what reads a value recurses. */
const mostLevels = 1_000;

/** About how many values a text of JSON has, without what stands in its texts, as in a ConfigMap; and whether it is nested too deep. */
export function measureJson(json: string): { readonly values: number; readonly isDeep: boolean } {
  let values = 0;
  let level = 0;
  let deepest = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (isText && code === backslash) {
      at += 1;
    } else if (code === quote) {
      isText = !isText;
    } else if (!isText) {
      values += beginsValue(code) ? 1 : 0;
      level += levelsOf(code);
      deepest = Math.max(deepest, level);
    }
  }
  return { values, isDeep: deepest > mostLevels };
}

/**
 * The value of an answer; `undefined` where it is no JSON, or a page for people, as proxies and load balancers have.
 * @param contentType - as the server says, if it does
 * @throws TooLargeError
 */
export function jsonOf(body: Buffer, contentType?: string | null): unknown {
  if (/^\s*text\/html\b/i.test(contentType ?? "")) {
    return undefined;
  }
  const text = body.toString("utf8");
  const { values, isDeep } = measureJson(text);
  if (values > mostValues || isDeep) {
    throw new TooLargeError(
      values > mostValues
        ? "the answer has more than 1,000,000 values"
        : "the answer is nested more than 1,000 deep",
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** About how much memory a value takes, in values of JSON: a text of a hundred characters counts for two. */
export function weightOf(value: unknown): number {
  let weight = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    weight += typeof next === "string" ? 1 + next.length / 100 : 1;
    if (typeof next === "object" && next !== null) {
      for (const inner of Object.values(next)) {
        open.push(inner);
      }
    }
  }
  return weight;
}
