import { isRecord } from "../tools/untyped";
import { type SchemaProblem, strayProblem } from "./advice/proposals";
import { type Path, pathText, type Step, valueAt } from "./advice/steps";
import { foreignKeyAt, groups, isMoved } from "./foreignKeys/lookup";
import { poolsFrom } from "./foreignKeys/profiles";
import { keysOf, nodeAt } from "./jsonSchema";

/** Pools below a word for pools inside of their group, `windowsPools: {pools: {win1: ...}}`, lifted by one level. */

/** A word for pools, in the language of other tools. */
function isWord(key: string): boolean {
  const meaning = foreignKeyAt([key])?.meaning;
  return meaning !== undefined && !isMoved(meaning) && meaning.holds === "pools";
}

/** The pools of a mapping by their names, unless its keys are those of one pool. */
function named(path: Path, value: Readonly<Record<string, unknown>>): Step[] {
  const options = keysOf(nodeAt(path));
  const isPool = ([name, pool]: readonly [string, unknown]): boolean =>
    (isRecord(pool) || pool === null) &&
    !options.includes(name) &&
    (foreignKeyAt([...path, name]) === undefined ||
      (isRecord(pool) && Object.keys(pool).some((key) => options.includes(key))));
  return Object.entries(value).every(isPool)
    ? Object.keys(value).map((name): Step => ({ move: [...path, name], to: [...path.slice(0, 1), name] }))
    : [];
}

/** Steps that lift such pools; none if this is anything else, or if a name is taken. */
function steps(path: Path, root: unknown): Step[] {
  const [group = "", key] = path.map(String);
  const value = valueAt(root, path);
  if (path.length !== 2 || !groups.includes(group) || !isWord(key ?? "")) {
    return [];
  }
  const found = isRecord(value)
    ? named(path, value)
    : Array.isArray(value) && value.every((one) => isRecord(one) && typeof one.name === "string")
      ? poolsFrom(value, root, group)
      : [];
  const targets = found.flatMap((step) => ("set" in step ? [step.set] : "move" in step ? [step.to] : []));
  return found.length > 0 && targets.every((target) => valueAt(root, target) === undefined)
    ? [...found, { remove: path }]
    : [];
}

export function wrappedPools(path: Path, root: unknown): SchemaProblem | undefined {
  const lifted = steps(path, root);
  const [group] = path;
  return lifted.length === 0
    ? undefined
    : {
        ...strayProblem(path, [lifted], {
          problem: `pools are directly below ${String(group)}`,
          allowed: `${String(group)} with each pool by its name`,
        }),
        hides: pathText(path.slice(0, 1)),
      };
}
