import { type Path, type Step, valueAt } from "./advice/steps";
import { movesTo } from "./advice/movesTo";
import { memoize } from "../tools/memoize";
import { keysOf, nodeAt } from "./jsonSchema";
import { wordsOf } from "./words";

/** Keys whose names are made of the same words as an unknown one, where each tool has its own word for a thing. */

/** Words for the same thing in AKS, CAPZ, kubelet, Helm and Terraform, by the one that is compared. */
const synonyms: readonly (readonly [string, RegExp])[] = [
  ["size", /^(skus?|sizes?|flavou?r)$/],
  ["node", /^(vms?|nodes?|machines?|instances?|agents?|workers?)$/],
  ["pool", /^(groups?|pools?)$/],
  ["count", /^(counts?|numbers?|num|replicas?|desired|amount)$/],
  ["min", /^(min|minimum|lowest|initial)$/],
  ["max", /^(max|maximum|highest)$/],
  ["cidr", /^(cidrs?|ranges?|prefix(es)?|networks?)$/],
  ["allowed", /^(allowed|authorized|permitted|trusted)$/],
  ["protect", /^protect(ion|ed)?$/],
  ["file", /^(files?|path|paths)$/],
];

/** Words without which a name says the same. */
const filler =
  /^(a|the|for|of|in|on|at|by|to|with|enabled?|use|is|deletion|config|configuration|settings?|options?|spec|default|all)$/;

/**
 * The words that count, without those of the mapping in which the key stands and without how something is counted.
 * @param hasSmallest - whether something there has a smallest number
 */
const meaning = memoize((name: string, parent: string, hasSmallest: boolean): ReadonlySet<string> => {
  const own = wordsOf(name).map(
    (word) => synonyms.find(([, pattern]) => pattern.test(word))?.[0] ?? word.replace(/(?<=...)s$/, ""),
  );
  const outer = new Set(wordsOf(parent).map((word) => word.replace(/(?<=...)s$/, "")));
  // Where nothing has a smallest number, the number itself is it: `minNodes` beside `maxNodeCount`.
  const kept = own.filter(
    (word) => !filler.test(word) && !outer.has(word) && (word !== "min" || hasSmallest),
  );
  // A pool is one of nodes, and a group of resources is named.
  const plain = kept.filter(
    (word, index) =>
      word !== "count" &&
      !(word === "node" && kept[index + 1] === "pool") &&
      (word !== "name" || index === 0),
  );
  return new Set(plain.length > 0 ? plain : kept);
});

const isSubset = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size > 0 && [...one].every((word) => other.has(word));

/** The only key of a mapping with the words of an unknown one, if it has no value yet, with the value in its form. */
export function sameWords(path: Path, known: readonly string[], root: unknown): (readonly Step[])[] {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const holder = parent.findLast((one) => typeof one === "string") ?? "";
  const hasSmallest = known.length === 0 || known.some((name) => wordsOf(name).includes("min"));
  const own = meaning(key, holder, hasSmallest);
  const same = known.filter((name) => {
    const other = meaning(name, holder, true);
    return isSubset(own, other) && isSubset(other, own);
  });
  const target = [...parent, same[0] ?? ""];
  return same.length !== 1 || valueAt(root, target) !== undefined ? [] : movesTo(path, target, root);
}

/** The only key one mapping further down that has these words with the name of that mapping: `metadataBlocked`. */
export function wordsBelow(path: Path, known: readonly string[], root: unknown): (readonly Step[])[] {
  const parent = path.slice(0, -1);
  const holder = parent.findLast((one) => typeof one === "string") ?? "";
  const own = meaning(String(path.at(-1)), holder, true);
  const targets = known.flatMap((outer) =>
    keysOf(nodeAt([...parent, outer], root))
      .filter((inner) => {
        const other = meaning(`${outer}-${inner}`, holder, true);
        return isSubset(own, other) && isSubset(other, own);
      })
      .map((inner) => [...parent, outer, inner]),
  );
  const [only, ...more] = targets;
  return only === undefined || more.length > 0 || own.size < 2 || valueAt(root, only) !== undefined
    ? []
    : movesTo(path, only, root);
}

/** The only key of the mapping that begins with all words of a name, of which there are several: `hostProcess`. */
export function firstWords(path: Path, known: readonly string[], root: unknown): (readonly Step[])[] {
  const words = wordsOf(String(path.at(-1)));
  const [name = "", ...more] = known.filter((one) =>
    words.every((word, index) => wordsOf(one)[index] === word),
  );
  const target = [...path.slice(0, -1), name];
  return words.length < 2 || name === "" || more.length > 0 || valueAt(root, target) !== undefined
    ? []
    : movesTo(path, target, root);
}
