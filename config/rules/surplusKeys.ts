import type { Problem } from "capz-windows-kit/problem";

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
  const owners = Object.entries(keysOf).flatMap(([choice, own]) => own.map((key) => ({ choice, key })));
  return owners
    .filter(({ key }, index) => owners.findIndex((other) => other.key === key) === index)
    .filter(({ key }) => !keys.includes(key) && given[key] !== undefined)
    .map(({ choice, key }) => ({
      path: `${place}.${key}`,
      value: given[key],
      uses: [place],
      problem: `this key belongs to ${by}: ${choice}, and the ${by} is ${chosen}`,
      allowed: keys.length === 0 ? `no other key beside ${by}` : `beside ${by}: ${keys.join(", ")}`,
    }));
}
