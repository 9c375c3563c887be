import { isPair, isScalar, type Node, type Pair, visit, type YAMLMap } from "yaml";
import { yamlDocument } from "capz-windows-kit/boundedYaml";
import { memoize } from "capz-windows-kit/memoize";
import { groups } from "./poolDefaults";

/** Keys that a mapping has twice. */

export interface Repeated {
  readonly name: string;
  /** Offset of the first occurrence. */
  readonly first: number;
  /** A name that no pool has, where the key is that of another pool. */
  readonly free?: string | undefined;
}

interface Key {
  readonly name: string;
  readonly at: number;
  /** The text of its value. */
  readonly value: string;
}

const textOf = (node: Node | null, text: string): string => {
  const [start, end] = node?.range ?? [0, 0];
  return text.slice(start, end).trim();
};

function keyOf({ items }: YAMLMap, index: number, text: string): Key | undefined {
  const { key, value } = items[index] ?? {};
  return isScalar(key) && key.range
    ? { name: String(key.value), at: key.range[0], value: textOf(value as Node | null, text) }
    : undefined;
}

const isPools = (pair: unknown): boolean =>
  isPair(pair) && isScalar(pair.key) && groups.includes(String(pair.key.value).split(":").at(-1) ?? "");

/** The name with the next number that is free. */
function freeName(name: string, taken: readonly string[]): string | undefined {
  const [, stem = "", digits] = /^(.*?)(\d*)$/.exec(name) ?? [];
  return Array.from({ length: taken.length + 1 }, (_, index) => `${stem}${Number(digits) + index + 1}`).find(
    (one) => !taken.includes(one),
  );
}

/** Offsets of repeated keys. */
export const repeatedKeys = memoize((text: string): ReadonlyMap<number, Repeated> => {
  const found = new Map<number, Repeated>();
  visit(yamlDocument(text), {
    Map(_, map, path) {
      const keys = map.items.flatMap((_pair: Pair, index) => keyOf(map, index, text) ?? []);
      const names = keys.map(({ name }) => name);
      const first = new Map<string, Key>();
      keys.forEach((own) => {
        const same = first.get(own.name);
        if (same === undefined) {
          first.set(own.name, own);
          return;
        }
        const isOther = isPools(path.at(-1)) && same.value !== own.value;
        const free = isOther ? freeName(own.name, names) : undefined;
        names.push(free ?? own.name);
        found.set(own.at, { name: own.name, first: same.at, free });
      });
    },
  });
  return found;
});
