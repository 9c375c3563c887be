import type { Path, Step } from "capz-windows-kit/problem";
import { keyName, writeLine, yamlValue } from "capz-windows-kit/writeLine";
import { configNamespace } from "./misplacedConfig";

/** Changes of a stack file: on its values, and as the lines that a report prints. On its text: stackText.ts. */

export type { Path, Step };

/** Keys that are written after a dot in a path; any other is written as `["docker.io"]`. */
const plainKey = /^[\w<>-]+$/;

const keyInPath = (key: PropertyKey): string =>
  typeof key !== "number" && plainKey.test(String(key)) ? `.${String(key)}` : `[${JSON.stringify(key)}]`;

/** A path as reports print it: `windowsPools.win1.files[0].path`, `registryMirror.paths["docker.io"]`. */
export const pathText = ([first = "", ...rest]: Path): string =>
  `${String(first)}${rest.map(keyInPath).join("")}`;

/** What `pathText` has written, as a path. */
export const pathOf = (text: string): Path =>
  [...text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(([, quoted, index, name]) =>
    index === undefined ? (name ?? (JSON.parse(`"${quoted ?? ""}"`) as string)) : Number(index),
  );

/** Whether a path is another one, or is inside it. */
export const isWithin = (path: Path, outer: Path): boolean =>
  outer.every((key, index) => path[index] === key);

const isContainer = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === "object" && value !== null;

export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (isContainer(value) ? value[key] : undefined), root);

function assign(root: unknown, path: Path, value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined || !isContainer(root)) {
    return;
  }
  if (rest.length === 0) {
    root[key] = value;
    return;
  }
  // What every object inherits, such as a key named constructor, is not a value of the stack file.
  if (!Object.hasOwn(root, key) || !isContainer(root[key])) {
    root[key] = {};
  }
  assign(root[key], rest, value);
}

function unset(root: unknown, path: Path): void {
  const parent = valueAt(root, path.slice(0, -1));
  const key = path.at(-1);
  if (Array.isArray(parent) && typeof key === "number") {
    parent.splice(key, 1);
  } else if (isContainer(parent) && key !== undefined) {
    Reflect.deleteProperty(parent, key);
  }
}

/** Changes a config that nobody else has. */
export function takeSteps(config: unknown, steps: readonly Step[]): void {
  for (const step of steps) {
    if ("set" in step) {
      assign(config, step.set, structuredClone(step.value));
    } else if ("remove" in step) {
      unset(config, step.remove);
    } else {
      const value = valueAt(config, step.move);
      unset(config, step.move);
      assign(config, step.to, value);
    }
  }
}

/** A copy of a config with the steps applied. */
export function applySteps<T>(config: T, steps: readonly Step[]): T {
  const copy = structuredClone(config);
  takeSteps(copy, steps);
  return copy;
}

/** The places that get a value by steps. */
export const targetsOf = (steps: readonly Step[]): Path[] =>
  steps.flatMap((step) => {
    if ("set" in step) {
      return [step.set];
    }
    return "move" in step ? [step.to] : [];
  });

/** The mapping that contains the last key of a path; an item of a list belongs to that of its list. */
function parentOf(path: Path): Path {
  const parent = path.slice(0, -1);
  return typeof path.at(-1) === "number" ? parentOf(parent) : parent;
}

function keyText(path: Path): string {
  const own = path.slice(parentOf(path).length);
  if (path.length === 1) {
    return `${configNamespace}:${String(path[0])}`;
  }
  return own.length === 1 ? keyName(String(own[0])) : pathText(own);
}

const parentText = (path: Path): string => pathText(parentOf(path));

function moveText({ move, to }: { readonly move: Path; readonly to: Path }, own: string): string {
  const isItem = typeof move.at(-1) === "number";
  if (!isItem && parentText(move) === parentText(to)) {
    return `rename ${keyText(move)} to ${keyText(to)}`;
  }
  const from = parentText(move) === own ? keyText(move) : pathText(move);
  return `move ${from} to ${to.length === 1 ? keyText(to) : pathText(to)}`;
}

function stepText(step: Step, at: Path): string {
  const own = parentText(at);
  if ("move" in step) {
    return moveText(step, own);
  }
  const path = "remove" in step ? step.remove : step.set;
  const place = path.length === 1 || parentText(path) === own ? "" : ` # in ${parentText(path)}`;
  if ("remove" in step) {
    return `remove ${keyText(path)}${place}`;
  }
  return typeof path.at(-1) === "number"
    ? `- ${yamlValue(step.value)}`
    : `${writeLine(keyText(path), step.value)}${place}`;
}

/** Steps as the `write` of the problem at a path. Keys are those beside the problem's, unless a comment says where. */
export const stepsText = (steps: readonly Step[], at: Path): string =>
  steps.map((step) => stepText(step, at)).join("; ");
