import { distance } from "fastest-levenshtein";
import type { Path, Step } from "./advice/steps";
import { pathText, stepsText, valueAt } from "./advice/steps";
import { keysOf, nodeAt } from "./jsonSchema";
import { refusedKey } from "./refusedKeys";
import { optionPaths } from "./schemaDocs";
import type { SchemaProblem } from "./advice/proposals";

/** How many letters may differ before a key is another word: `port` is not `pool`. */
const mayDiffer = (key: string): number => (key.length <= 5 ? 1 : key.length <= 9 ? 2 : 3);

/** A key of the same mapping that was misspelled. */
export function misspelled(key: string, known: readonly string[]): string | undefined {
  const lower = key.toLowerCase().replace(/[-_]/g, "");
  return known
    .map((name) => ({ name, far: distance(lower, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= mayDiffer(name))
    .sort((a, b) => a.far - b.far)[0]?.name;
}

/** Paths of the options with this name elsewhere in the stack file. */
export const placesOf = (key: string): string[] =>
  optionPaths().filter((path) => path.split(".").at(-1)?.toLowerCase() === key.toLowerCase());

/** A key that the schema does not know: misspelled, in the wrong place, of another tool, or simply unknown. */
export function unknownKeyProblem(path: Path, root: unknown): SchemaProblem {
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  const refused = refusedKey(path);
  if (refused) {
    const proposals = [...(refused.steps ?? []), [{ remove: path }]];
    const [first = []] = proposals;
    // The value is omitted, because it may be a password.
    return {
      at: path,
      path: pathText(path),
      problem: refused.problem,
      allowed: refused.allowed,
      write: stepsText(first, path),
      proposals,
      ...(refused.note === undefined ? {} : { note: refused.note }),
    };
  }
  const known = keysOf(nodeAt(parent, root));
  const name = misspelled(key, known);
  const places = name === undefined ? placesOf(key) : [];
  const target = [...parent, name ?? ""];
  const occupied = name !== undefined && valueAt(root, target) !== undefined;
  const single =
    places.length === 1 && !(places[0] ?? "").includes("<") ? (places[0] ?? "").split(".") : undefined;
  const proposals: (readonly Step[])[] = [
    ...(name === undefined || occupied ? [] : [[{ move: path, to: target } as const]]),
    ...(single === undefined || valueAt(root, single) !== undefined
      ? []
      : [[{ move: path, to: single } as const]]),
    [{ remove: path }],
  ];
  const [first = []] = proposals;
  return {
    at: path,
    path: pathText(path),
    // A top-level key may be a misspelled secret key, whose value must not be shown.
    ...(path.length === 1 ? {} : { value: valueAt(root, path) }),
    problem:
      name !== undefined
        ? `unknown key; did you mean ${name}?`
        : places.length > 0
          ? `unknown key here; it belongs in ${places.join(", ")}`
          : "unknown key",
    allowed: known.join(", "),
    write: stepsText(first, path),
    proposals,
    hides: name === undefined || occupied ? undefined : pathText(target),
  };
}
