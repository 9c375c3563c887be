import { distance } from "fastest-levenshtein";
import { bash } from "capz-windows-kit/shell";
import { isRecord } from "capz-windows-kit/untyped";
import { memoize } from "capz-windows-kit/memoize";
import { mayBeSecret } from "capz-windows-kit/problem";
import { aliases, type Alias } from "./aliases";
import {
  alternatives,
  choicesOf,
  configSchema,
  isNamed,
  keysOf,
  nodeAt,
  type SchemaNode,
} from "./jsonSchema";
import { applySteps, pathText, type Path, type Step, stepsText, valueAt } from "./steps";

/**
 * What a wrong key or value was meant to be. One pass in a fixed order, the first match counts, and nothing is tried. What is
 * not certain is a question: two candidates, a target that exists, and a mapping that would switch something on. No step
 * removes a value or writes a default.
 */

/** Steps that keep what the user meant, or a question in angle brackets. */
export type Suggestion = { readonly steps: readonly Step[] } | { readonly question: string };

const ask = (text: string): Suggestion => ({ question: `<${text}>` });

/** Case, hyphens, underscores and dots are no difference between names. */
const plainName = (name: PropertyKey): string =>
  String(name)
    .toLowerCase()
    .replace(/[-_. ]/g, "");

const singular = (name: string): string => name.replace(/ies$/, "y").replace(/(?<!s)s$/, "");

/** Whether a name has one letter more, less or other than another, or two that changed places. */
function isOneLetterOff(name: string, known: string): boolean {
  if (known.length < 3 || distance(name, known) > 2) {
    return false;
  }
  const at = Array.from(known).findIndex((letter, index) => letter !== name[index]);
  const swapped = `${name.slice(0, at)}${name[at + 1] ?? ""}${name[at] ?? ""}${name.slice(at + 2)}`;
  return distance(name, known) === 1 || swapped === known;
}

function acceptsText(value: string, node: SchemaNode): boolean {
  const { pattern = "", minLength = 0, maxLength = Infinity } = node;
  return (
    node.type === "string" &&
    new RegExp(pattern).test(value) &&
    value.length >= minLength &&
    value.length <= maxLength
  );
}

/** Whether a value has the form that a node wants; for a mapping, whether it knows its keys. A free one does not. */
function accepts(value: unknown, node: SchemaNode): boolean {
  const choices = node.enum ?? (node.const === undefined ? undefined : [node.const]);
  const inner = alternatives(node);
  if (choices !== undefined) {
    return choices.includes(value);
  }
  if (inner.length > 0 && !isRecord(value)) {
    return inner.some((one) => accepts(value, one));
  }
  if (Array.isArray(value)) {
    return node.type === "array" && value.every((item) => accepts(item, node.items ?? {}));
  }
  if (isRecord(value)) {
    const known = keysOf(node);
    const named = isRecord(node.additionalProperties) ? node.additionalProperties : undefined;
    return named === undefined
      ? known.length > 0 && Object.keys(value).every((key) => known.includes(key))
      : Object.values(value).every((inner) => accepts(inner, named));
  }
  if (typeof value === "number") {
    const { minimum = -Infinity, maximum = Infinity } = node;
    const isNumber = node.type === "number" || (node.type === "integer" && Number.isInteger(value));
    return isNumber && value >= minimum && value <= maximum;
  }
  return typeof value === "string" ? acceptsText(value, node) : node.type === typeof value;
}

const switches = new Map([
  ...["true", "yes", "on"].map((text) => [text, true] as const),
  ...["false", "no", "off"].map((text) => [text, false] as const),
]);

/** A text as a number, a switch, a choice in its right case, or a list. */
function formsOfText(value: string, node: SchemaNode): unknown[] {
  const text = value.trim();
  const choices = choicesOf(node).filter((one) => String(one).toLowerCase() === text.toLowerCase());
  const number = /^-?(0|[1-9]\d*)$/.test(text) ? [Number(text)] : [];
  const flag = switches.get(text.toLowerCase());
  const parts = text.split(/\s*[,;]\s*|\s+/).filter((part) => part !== "");
  // Text without a form, such as a command, may have commas and blanks of its own; a report does not know parts of a secret.
  const isSecret = mayBeSecret(text) && parts.some(({ length }) => length >= 12);
  const isList = node.items !== undefined && !accepts("a b, c", node.items) && !isSecret;
  const list = isList ? [parts] : [[text]].filter(() => !text.includes("\n"));
  return [text, ...choices, ...number, ...(flag === undefined ? [] : [flag]), ...list];
}

/** The same value in the forms that YAML has for it. */
function formsOf(value: unknown, node: SchemaNode): unknown[] {
  if (typeof value === "string" && value.trim() !== "") {
    return formsOfText(value, node);
  }
  // A number has lost what a text with a form may need: 1.30 is 1.3, and 0644 is 420.
  const isPlain = (node.items ?? node).pattern === undefined && Number.isInteger(value);
  if (isPlain || typeof value === "boolean") {
    return [String(value), [value], [String(value)]];
  }
  return Array.isArray(value) && value.length === 1 && !isRecord(value[0]) ? [value[0]] : [];
}

/** The form of a value that a node accepts, if there is exactly one. */
function inRightForm(value: unknown, node: SchemaNode | undefined): unknown {
  const fitting = node === undefined ? [] : formsOf(value, node).filter((one) => accepts(one, node));
  // A number in quotes is no other form where both are right.
  const formOf = (one: unknown): string => JSON.stringify(one).replaceAll('"', "");
  const [only, ...others] = [...new Map(fitting.map((one) => [formOf(one), one])).values()];
  return others.length === 0 ? only : undefined;
}

const fits = (value: unknown, node: SchemaNode | undefined): boolean =>
  node !== undefined && (accepts(value, node) || inRightForm(value, node) !== undefined);

const keysAt = (path: Path, config: unknown): string[] => keysOf(nodeAt(path, config));

/** Keys here whose names satisfy a comparison. */
function namesHere(path: Path, config: unknown, isMeant: (name: string, known: string) => boolean): Path[] {
  const parent = path.slice(0, -1);
  const name = plainName(path.at(-1) ?? "");
  return keysAt(parent, config)
    .filter((known) => isMeant(name, plainName(known)))
    .map((known) => [...parent, known]);
}

/** The place of a path in the schema, with `pool`, `*` and `#` as in aliases.ts. */
function patternOf(path: Path): string[] {
  const isPool = ["linuxPools", "windowsPools"].includes(String(path[0])) && path.length > 1;
  if (isPool || path[0] === "poolDefaults") {
    return ["pool", ...patternBelow(path, isPool ? 2 : 1)];
  }
  return patternBelow(path, 0);
}

const patternBelow = (path: Path, start: number): string[] =>
  path.slice(start).map((key, index) => {
    if (typeof key === "number") {
      return "#";
    }
    const around = nodeAt(path.slice(0, start + index));
    return isNamed(around) && around?.properties === undefined ? "*" : String(key);
  });

/** A place of the schema as a path, with the names of the pool and of the items that another path goes through. */
function resolved(pattern: readonly string[], path: Path): Path | undefined {
  const [first, ...rest] = pattern;
  const own = patternOf(path);
  const length = path[0] === "poolDefaults" ? 1 : 2;
  const start = first === "pool" ? path.slice(0, length) : [];
  const keys = first === "pool" ? rest : pattern;
  if (first === "pool" && own[0] !== "pool") {
    return undefined;
  }
  const full = keys.map((key, index) => (/^[*#]$/.test(key) ? path[start.length + index] : key));
  const isSame = keys.every(
    (key, index) =>
      !/^[*#]$/.test(key) ||
      pattern.slice(0, pattern.length - keys.length + index + 1).every((one, at) => own[at] === one),
  );
  return isSame && !full.includes(undefined) ? [...start, ...(full as PropertyKey[])] : undefined;
}

function isAliasAt({ to, names, in: places }: Alias, parent: string, name: string): boolean {
  const own = places ?? [to.split(".").slice(0, -1).join(".")];
  return own.some((place) => place === parent) && names.some((one) => plainName(one) === name);
}

/** The key that aliases.ts has for the name at a path. */
export function aliasOf(path: Path, config: unknown): Path[] {
  const parent = patternOf(path.slice(0, -1)).join(".");
  const name = plainName(path.at(-1) ?? "");
  const found = aliases.find((alias) => isAliasAt(alias, parent, name));
  const target = found && resolved(found.to.split("."), path);
  return target !== undefined && nodeAt(target, config) !== undefined ? [target] : [];
}

/** Names that have another meaning in each mapping. */
const manyMeanings =
  /^(type|name|enabled|kind|id|url|keys?|value|policy|users|groups|version|image|location|private|ip|only|stack|install|nodeCount)$/i;

/** All keys that a schema has below a node, as places with `*` and `#`. */
function placesBelow(node: SchemaNode, at: readonly string[]): string[][] {
  const own = Object.entries(node.properties ?? {}).flatMap(([key, inner]) => [
    [...at, key],
    ...placesBelow(inner, [...at, key]),
  ]);
  const named = isRecord(node.additionalProperties)
    ? placesBelow(node.additionalProperties, [...at, "*"])
    : [];
  const items = node.items === undefined ? [] : placesBelow(node.items, [...at, "#"]);
  return [...own, ...named, ...items, ...alternatives(node).flatMap((one) => placesBelow(one, at))];
}

const places = memoize((): readonly string[][] => [
  ...new Map(placesBelow(configSchema(), []).map((one) => [one.join("."), one])).values(),
]);

/** Whether a place is about other machines than a path. A key at the top may go into a `management` that the file has. */
const isOfOthers = (first: PropertyKey | undefined, path: Path, config: unknown): boolean =>
  first !== path[0] &&
  (first === "poolDefaults" ||
    (first === "management" && (path.length > 1 || valueAt(config, [first]) === undefined)));

/** Every place of a name; none for one that means something else wherever it stands. */
const placesNamed = (name: string) =>
  manyMeanings.test(name) ? [] : places().filter((one) => plainName(one.at(-1) ?? "") === name);

/** The only place of this name, in the innermost mapping around it that has one. What stands in a pool stays there. */
function onlyPlace(path: Path, config: unknown): Path[] {
  const name = plainName(path.at(-1) ?? "");
  const value = valueAt(config, path);
  const inPools = /^(linux|windows)Pools$/.test(String(path[0])) ? 2 : 0;
  const least = /^(management|poolDefaults)$/.test(String(path[0])) ? 1 : inPools;
  const named = placesNamed(name);
  for (let length = path.length - 1; length >= least; length -= 1) {
    const within = named.filter((one) =>
      path.slice(0, length).every((key, at) => one[at] === key || one[at] === "*" || one[at] === "#"),
    );
    const targets = within.map((one) =>
      one.map((key, at) => (/^[*#]$/.test(key) && at < length ? (path[at] ?? key) : key)),
    );
    if (targets.length > 0) {
      const isOpen = targets.some((one) => one.includes("*") || one.includes("#"));
      const isFitting = targets.every((one) => fits(value, nodeAt(one, config)));
      const isOther = targets.some(([first]) => isOfOthers(first, path, config));
      return isFitting && !isOpen && !isOther ? targets : [];
    }
  }
  return [];
}

/** A mapping that a move would make, where the schema has none by itself: it may switch something on. */
function opened(target: Path, config: unknown): Path | undefined {
  const around = target.slice(0, -1).map((_, index) => target.slice(0, index + 1));
  return around.find((at) => valueAt(config, at) === undefined && nodeAt(at, config)?.default === undefined);
}

/** Whether a value above a path, such as a text, leaves no room for it. A key with nothing below it does. */
const isBlocked = (target: Path, config: unknown): boolean =>
  target.slice(0, -1).some((_, index) => {
    const value = valueAt(config, target.slice(0, index + 1));
    return value !== undefined && value !== null && typeof value !== "object";
  });

function moveTo(target: Path, path: Path, config: unknown): Suggestion {
  const to = pathText(target);
  // A name with dots reads like the path that it means.
  const key = pathText(path) === to ? `capz-windows:${to}` : pathText(path);
  const mapping = opened(target, config);
  if (valueAt(config, target) !== undefined) {
    return ask(`only ${to}, which means the same as ${key}`);
  }
  if (isBlocked(target, config)) {
    return ask(`${key} or ${to}: only one of them can be meant`);
  }
  if (mapping !== undefined) {
    return ask(`move ${key} to ${to}, if the stack is to have ${pathText(mapping)}`);
  }
  return { steps: [{ move: path, to: target }] };
}

/** Sections of docs/config.md by the first key of a path. */
export function pageOf(path: Path): string {
  const first = String(path[0]);
  if (first.endsWith("Pools")) {
    return "docs/config.md#linuxpools-and-windowspools";
  }
  const hasSection = path.length > 1 && keysAt([first], {}).length > 0;
  return hasSection ? `docs/config.md#${first.toLowerCase()}` : "docs/config.md";
}

/** The five keys of a mapping whose names are nearest to a wrong one, and the page with all of them. */
export function nearestKeys(path: Path, config: unknown): string {
  const farness = (known: string): number => distance(plainName(path.at(-1) ?? ""), plainName(known));
  const known = keysAt(path.slice(0, -1), config).sort((a, b) => farness(a) - farness(b));
  const more = known.length > 5 ? ", and others" : "";
  return `${known.slice(0, 5).join(", ")}${more} (${pageOf(path)})`;
}

/** Keys that a name may stand for, where no value tells them apart. */
export function meantKeys(path: Path): Path[] {
  const name = plainName(path.at(-1) ?? "");
  const here = (isMeant: (name: string, known: string) => boolean) => namesHere(path, {}, isMeant);
  const finders = [
    () => here((given, known) => singular(given) === singular(known)),
    () => aliasOf(path, {}),
    () => here(isOneLetterOff),
    () => placesNamed(name),
  ];
  return finders.map((find) => find()).find(({ length }) => length > 0) ?? [];
}

/** A key of several names with dots, as a command line has it: to YAML it is one name. */
function dotted(path: Path, config: unknown): Path[] {
  const names = String(path.at(-1)).split(".");
  const target = [...path.slice(0, -1), ...names];
  return names.length > 1 && nodeAt(target, config) !== undefined ? [target] : [];
}

/** Where a key belongs that is unknown in its mapping. */
export function suggestKey(path: Path, config: unknown): Suggestion {
  const value = valueAt(config, path);
  const isFitting = (target: Path): boolean => fits(value, nodeAt(target, config));
  const here = (isMeant: (name: string, known: string) => boolean) => namesHere(path, config, isMeant);
  const finders = [
    () => here((name, known) => name === known),
    () => dotted(path, config),
    () => here((name, known) => singular(name) === singular(known)),
    () => aliasOf(path, config),
    () => here(isOneLetterOff).filter(isFitting),
    () => onlyPlace(path, config),
  ];
  const found = finders.map((find) => find()).find(({ length }) => length > 0) ?? [];
  const [target, ...more] = found;
  if (target === undefined) {
    const parent = pathText(path.slice(0, -1));
    const command = parent === "" ? "npm run explain" : bash`npm run explain -- ${parent}`;
    return ask(`another key: \`${command}\` lists all`);
  }
  if (more.length > 0) {
    return ask(`${found.map(pathText).join(" or ")}, whichever is meant`);
  }
  const isSpelled = singular(plainName(target.at(-1) ?? "")) === singular(plainName(path.at(-1) ?? ""));
  const isOtherShape = Array.isArray(value) && nodeAt(target, config)?.items === undefined;
  if ((!isSpelled || isOtherShape) && !isFitting(target)) {
    return ask(`${pathText(target)}, whose value has another form`);
  }
  return moveTo(target, path, config);
}

/** The value that a key was meant to have: the same in another form. */
export function suggestValue(path: Path, config: unknown): Suggestion {
  const node = nodeAt(path, config);
  const given = valueAt(config, path);
  const value = inRightForm(given, node);
  return value === undefined || value === given
    ? ask(node?.placeholder?.slice(1, -1) ?? "an allowed value")
    : { steps: [{ set: path, value }] };
}

/** The name of a pool with the characters that are allowed. Other names have a meaning in Azure. */
export function suggestName(path: Path, config: unknown): Suggestion {
  const [group = "", name = "", ...rest] = path.map(String);
  const other = name.toLowerCase().replace(/[_. ]+/g, "-");
  const { propertyNames, additionalProperties } = nodeAt([group]) ?? {};
  const isPool = /^(linux|windows)Pools$/.test(group) && rest.length === 0;
  const keys = isPool && isRecord(additionalProperties) ? keysOf(additionalProperties) : [];
  const own = Object.keys(valueAt(config, path) ?? {});
  const isKnown = own.length === 0 || own.some((key) => keys.includes(key));
  const isFree = isKnown && valueAt(config, [group, other]) === undefined;
  return isPool && isFree && accepts(other, propertyNames ?? {})
    ? { steps: [{ move: path, to: [group, other] }] }
    : ask(`another name than ${String(path.at(-1))}`);
}

/** A suggestion as the parts of a problem. */
export function correction(suggestion: Suggestion, path: Path): { write: string; fix?: readonly Step[] } {
  return "steps" in suggestion
    ? { write: stepsText(suggestion.steps, path), fix: suggestion.steps }
    : { write: suggestion.question };
}

/** A config after all that is certain. */
export const corrected = <T>(config: T, fixes: readonly (readonly Step[] | undefined)[]): T =>
  applySteps(
    config,
    fixes.flatMap((fix) => fix ?? []),
  );
