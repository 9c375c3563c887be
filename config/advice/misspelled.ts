import { distance } from "fastest-levenshtein";

/** Number of letters by which a misspelled key may differ: `port` is not `pool`. */
const mayDiffer = (key: string): number => (key.length <= 5 ? 1 : 2);

/** A name in the singular. */
const single = (name: string): string => name.replace(/ies$/, "y").replace(/s$/, "");

/** A key of the same mapping that was misspelled, or is in the singular. */
export function misspelled(key: string, known: readonly string[]): string | undefined {
  const lower = key.toLowerCase().replace(/[-_]/g, "");
  const farFrom = (name: string): number => (single(name) === single(lower) ? 0 : distance(lower, name));
  return known
    .map((name) => ({ name, far: farFrom(name.toLowerCase()) }))
    .filter(({ name, far }) => far <= mayDiffer(name))
    .sort((a, b) => a.far - b.far)[0]?.name;
}
