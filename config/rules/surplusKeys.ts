import type { Problem } from "capz-windows-kit/problem";

/** The choices to which all keys of a mapping belong. */
const choicesWith = (
  keysOf: Readonly<Record<string, readonly string[]>>,
  keys: readonly string[],
): string[] => Object.keys(keysOf).filter((choice) => keys.every((key) => keysOf[choice]?.includes(key)));

/**
 * Keys of a mapping that belong to another choice than the one that it makes.
 * @param by - the key that chooses
 * @param keysOf - the keys of each choice
 * @param isPossible - whether another choice fits the rest of the stack
 */
export function surplusKeys(
  place: string,
  by: string,
  keysOf: Readonly<Record<string, readonly string[]>>,
  given: Readonly<Record<string, unknown>>,
  isPossible: (choice: string) => boolean = () => true,
): Problem[] {
  const chosen = String(given[by]);
  const keys = keysOf[chosen] ?? [];
  const owners = Object.entries(keysOf).flatMap(([choice, own]) => own.map((key) => ({ choice, key })));
  const written = Object.keys(given).filter((key) => key !== by && given[key] !== undefined);
  // Where all keys are those of one other choice, that choice keeps what they say.
  const [meant, ...others] = choicesWith(keysOf, written).filter(isPossible);
  return owners
    .filter(({ key }, index) => owners.findIndex((other) => other.key === key) === index)
    .filter(({ key }) => !keys.includes(key) && given[key] !== undefined)
    .map(({ choice, key }) => ({
      path: `${place}.${key}`,
      value: given[key],
      uses: [place],
      problem: `this key belongs to ${by}: ${choice}, and the ${by} is ${chosen}`,
      allowed: keys.length === 0 ? `no other key beside ${by}` : `beside ${by}: ${keys.join(", ")}`,
      write:
        meant === undefined || others.length > 0
          ? `remove ${key} # in ${place}`
          : `${by}: ${meant} # in ${place}, or remove ${key}`,
    }));
}
