import { isRecord } from "../../tools/untyped";
import { keyName, placeholder, writeLine, yamlValue } from "../../tools/writeLine";

/** A path in the config, without the prefix `capz-windows:`. */
export type Path = readonly PropertyKey[];

/** One change of a stack file. */
export type Step =
  /** `example` replaces a value with placeholders when the step is tried; `note` is a comment for the user. */
  | { readonly set: Path; readonly value: unknown; readonly example?: unknown; readonly note?: string }
  | { readonly remove: Path }
  | { readonly move: Path; readonly to: Path };

/** Keys that are written after a dot in a path; any other is written as `["docker.io"]`. */
const plainKey = /^[\w<>-]+$/;

/** A path as reports print it: `windowsPools.win1.files[0].path`, `registryMirror.paths["docker.io"]`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, key) => {
    const name = String(key);
    return typeof key === "number"
      ? `${text}[${key}]`
      : text === ""
        ? name
        : plainKey.test(name)
          ? `${text}.${name}`
          : `${text}[${JSON.stringify(name)}]`;
  }, "");

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

/** A copy of a config with the steps applied. */
export function applySteps<T>(config: T, steps: readonly Step[]): T {
  const copy = structuredClone(config);
  for (const step of steps) {
    if ("set" in step) {
      assign(copy, step.set, structuredClone(step.example ?? step.value));
    } else if ("remove" in step) {
      unset(copy, step.remove);
    } else {
      const value = valueAt(copy, step.move);
      unset(copy, step.move);
      assign(copy, step.to, value);
    }
  }
  return copy;
}

/** Steps in which a mapping that comes to one that is there comes key by key. */
export function merging(config: unknown, at: Path, steps: readonly Step[]): readonly Step[] {
  const merged = (step: Step): readonly Step[] | undefined => {
    const [from, to] =
      "move" in step
        ? [valueAt(config, step.move), valueAt(config, step.to)]
        : // A mapping that is wrong is written anew.
          "set" in step && step.example === undefined && !isWithin(at, step.set)
          ? [step.value, valueAt(config, step.set)]
          : [];
    if (!isRecord(from) || !isRecord(to) || Object.keys(from).some((key) => key in to)) {
      return undefined;
    }
    return "move" in step
      ? [
          ...Object.keys(from).map((key) => ({ move: [...step.move, key], to: [...step.to, key] })),
          { remove: step.move },
        ]
      : "set" in step
        ? Object.entries(from).map(([key, value]) => ({ set: [...step.set, key], value }))
        : undefined;
  };
  return steps.some(merged) ? steps.flatMap((step) => merged(step) ?? [step]) : steps;
}

/** Whether a config has the key of a problem, and the key beside it that the advice removes. */
export function isThere(config: unknown, path: string, write: string): boolean {
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  const [, removed] = /^remove ([\w.-]+)/.exec(write) ?? [];
  const has = (at: readonly string[]): boolean => valueAt(config, at) !== undefined;
  return (
    has(keys) &&
    (removed === undefined ||
      keys.at(-1) === removed ||
      has([...keys, ...removed.split(".")]) ||
      has([...keys.slice(0, -1), ...removed.split(".")]))
  );
}

/** The places that get a value by steps. */
export const targetsOf = (steps: readonly Step[]): Path[] =>
  steps.flatMap((step) => ("set" in step ? [step.set] : "move" in step ? [step.to] : []));

/** The mapping that contains the last key of a path; an item of a list belongs to that of its list. */
const parentOf = (path: Path): Path => {
  const parent = path.slice(0, -1);
  return typeof path.at(-1) === "number" ? parentOf(parent) : parent;
};

function keyText(path: Path): string {
  const own = path.slice(parentOf(path).length);
  return path.length === 1 && !String(path[0]).startsWith("<")
    ? `capz-windows:${String(path[0])}`
    : own.length === 1
      ? keyName(String(own[0]))
      : pathText(own);
}

const parentText = (path: Path): string => pathText(parentOf(path));

function stepText(step: Step, at: Path): string {
  const own = parentText(at);
  const placeOf = (path: Path): string =>
    path.length === 1 || parentText(path) === own ? "" : ` # in ${parentText(path)}`;
  if ("remove" in step) {
    return `remove ${keyText(step.remove)}${placeOf(step.remove)}`;
  }
  if ("move" in step) {
    const isItem = typeof step.move.at(-1) === "number";
    // A key with the prefix of the stack file that is indented below another one.
    const isItsName = keyText(step.move) === keyText(step.to) && step.to.length === 1;
    return !isItem && parentText(step.move) === parentText(step.to) && !String(step.to[0]).startsWith("<")
      ? `rename ${keyText(step.move)} to ${keyText(step.to)}`
      : `move ${parentText(step.move) === own && !isItsName ? keyText(step.move) : pathText(step.move)} to ${step.to.length === 1 ? keyText(step.to) : pathText(step.to)}`;
  }
  const last = step.set.at(-1);
  return typeof last === "number"
    ? `- ${yamlValue(step.value)}`
    : `${writeLine(keyText(step.set), step.value)}${placeOf(step.set)}${step.note === undefined ? "" : ` # ${step.note}`}`;
}

/** Steps as the `write` of the problem at a path. Keys are those beside the problem's, unless a comment says where. */
export const stepsText = (steps: readonly Step[], at: Path): string =>
  steps.map((step) => stepText(step, at)).join("; ");

/** Whether anything is lost with a value. */
export const saysSomething = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== "" &&
  !(typeof value === "object" && Object.keys(value).length === 0);

/** A line for a value of which the file does not say what is meant: any other value would be another cluster. */
export function questionText(at: Path, steps: readonly Step[]): string {
  const [only] = steps;
  const open = stepsText([{ set: at, value: placeholder("an allowed value") }], at);
  return only !== undefined && "set" in only && only.set.length === at.length
    ? `${open} # such as ${yamlValue(only.value)}`
    : open;
}
