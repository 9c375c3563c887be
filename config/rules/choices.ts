import type { Problem } from "capz-windows-kit/problem";
import { at } from "capz-windows-kit/untyped";

/** Mappings in which keys exclude each other, or belong to a choice. */

/** Why two keys of a mapping may not both be set. The problem is at the mapping. */
export const notBoth = (path: string, given: unknown, keys: readonly [string, string], uses = [path]) =>
  keys.every((key) => at(given, key) !== undefined) && {
    path,
    uses,
    problem: `${keys.join(" and ")} are both set`,
    allowed: `only one of ${keys.join(" and ")}`,
  };

/** A mapping that has none of these keys, or more than one. */
export function exactlyOne(
  path: string,
  given: unknown,
  keys: readonly string[],
  uses = [path],
): Problem | false {
  const found = keys.filter((key) => at(given, key) !== undefined);
  return (
    found.length !== 1 && {
      path,
      uses,
      problem:
        found.length === 0
          ? `none of ${keys.join(", ")} is set`
          : `${found.join(" and ")} are set, and only one may be`,
      allowed: `exactly one of ${keys.join(", ")}`,
    }
  );
}

/**
 * Keys of a mapping that belong to another choice than the one that it makes.
 * @param by - the key that chooses
 * @param keysOf - the keys of each choice
 */
export function surplusKeys(
  place: string,
  by: string,
  keysOf: Readonly<Record<string, readonly string[]>>,
  given: Readonly<Record<string, unknown>>,
): Problem[] {
  const chosen = String(given[by]);
  const keys = keysOf[chosen] ?? [];
  const owners = new Map(
    Object.entries(keysOf)
      .reverse()
      .flatMap(([choice, own]) => own.map((key) => [key, choice] as const)),
  );
  return [...owners]
    .filter(([key]) => !keys.includes(key) && given[key] !== undefined)
    .map(([key, choice]) => ({
      path: `${place}.${key}`,
      value: given[key],
      uses: [place],
      problem: `this key belongs to ${by}: ${choice}, and the ${by} is ${chosen}`,
      allowed: keys.length === 0 ? `no other key beside ${by}` : `beside ${by}: ${keys.join(", ")}`,
    }));
}
