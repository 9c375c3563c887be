import { mayBeSecret } from "../../domain/problem";
import type { Path, Step } from "../advice/steps";
import { pathText, valueAt } from "../advice/steps";
import { allowedText, nodeAt } from "../jsonSchema";
import type { Absent } from "./foreignKey";
import { foreignKeyAt, isMoved, keysHere, targetOf } from "./lookup";
import { poolsFrom, translated } from "./profiles";
import { refusedKeys } from "./refused";

/** What a report says about a key that does not exist. */
export interface Answer extends Absent {
  /** What to do, likeliest first. By default the key is removed. */
  readonly proposals: readonly (readonly Step[])[];
}

/** A path as it is named beside another key: without the mapping that both are in. */
function nameBeside(target: Path, path: Path): string {
  const parent = path.slice(0, -1);
  const isBeside = parent.every((key, index) => target[index] === key) && target.length > parent.length;
  return pathText(isBeside ? target.slice(parent.length) : target);
}

/** A value at its place. One that looks random is not repeated, for it may be a secret. */
function setStep(target: Path, value: unknown, root: unknown): Step {
  const hidden = nodeAt(target, root)?.placeholder;
  return typeof value === "string" && mayBeSecret(value) && hidden !== undefined
    ? { set: target, value: hidden, example: value }
    : { set: target, value };
}

/** What is known about a key that the schema does not have. */
export function answerTo(path: Path, root: unknown): Answer | undefined {
  const refused = refusedKeys.find((key) => key.path.test(pathText(path)))?.answer;
  const meaning = refused ?? foreignKeyAt(path)?.meaning;
  const given = valueAt(root, path);
  if (meaning === undefined || !isMoved(meaning)) {
    const steps = meaning?.isPools === true ? poolsFrom(given, root) : [];
    return meaning && { ...meaning, proposals: steps.length === 0 ? [] : [[{ remove: path }, ...steps]] };
  }
  const target = targetOf(meaning, path, root);
  const everywhere = meaning.here.flatMap(keysHere).join(", ");
  if (target === undefined) {
    return {
      problem: `unknown key; write ${meaning.subject} as ${everywhere}`,
      allowed: everywhere,
      note: `see ${everywhere}`,
      proposals: [],
    };
  }
  const { as } = meaning;
  const value = as === "translated" ? translated(given, target) : as?.(given);
  const steps: readonly Step[] | undefined =
    valueAt(root, target) !== undefined
      ? undefined
      : as === undefined || value === given
        ? [{ move: path, to: target }]
        : value === undefined
          ? undefined
          : [{ remove: path }, setStep(target, value, root)];
  return {
    problem: `unknown key; write ${meaning.subject} as ${nameBeside(target, path)}`,
    allowed: allowedText(nodeAt(target, root)),
    proposals: steps === undefined ? [] : [steps],
  };
}
