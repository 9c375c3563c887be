import { type Document, isCollection, isMap, isPair, isScalar, type Pair, type YAMLMap } from "yaml";
import { canonicalJson } from "../capi/contentHash";
import { aliasTargets, yamlDocument } from "capz-windows-kit/boundedYaml";
import type { Path, Step } from "capz-windows-kit/problem";
import { keyName, yamlValue } from "capz-windows-kit/writeLine";
import { configNamespace } from "./misplacedConfig";
import { applySteps, isWithin } from "./steps";

/** Steps on the text of a stack file. Only the lines of a correction change. */

/** What takes the place of a part of a text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** Before the line end, which is LF or CR LF. */
const lineEnd = (text: string, at: number): number => at + text.slice(at).search(/\r?\n|$/);

function startOf(node: unknown): number {
  if (isPair(node)) {
    return startOf(node.key);
  }
  return isScalar(node) || isCollection(node) ? (node.range?.[0] ?? 0) : 0;
}

/** Without the comments and line ends behind it that the range of a mapping and of a text of several lines has. */
function endOf(text: string, node: unknown): number {
  if (isPair(node)) {
    return endOf(text, node.value ?? node.key);
  }
  if (isCollection(node) && node.flow !== true) {
    return endOf(text, node.items.at(-1));
  }
  const end = isScalar(node) || isCollection(node) ? (node.range?.[1] ?? 0) : 0;
  return startOf(node) + text.slice(startOf(node), end).trimEnd().length;
}

const columnOf = (text: string, node: unknown): number => startOf(node) - lineStart(text, startOf(node));

/** Another value, which begins on the line of its key. */
function valueEdit(text: string, node: unknown, value: string, end = endOf(text, node)): Edit {
  const before = text.slice(0, startOf(node)).trimEnd();
  return before.endsWith(":")
    ? { start: before.length, end, text: ` ${value}` }
    : { start: startOf(node), end, text: value };
}

/** Takes a key out of its mapping. @param end - of its value, or of the comment behind that */
function removal(text: string, map: YAMLMap, pair: Pair, end: number): Edit {
  const index = map.items.indexOf(pair);
  const [previous, next] = [map.items[index - 1], map.items[index + 1]];
  const start = startOf(pair);
  if (map.items.length === 1) {
    return valueEdit(text, map, "{}", map.flow === true ? endOf(text, map) : end);
  }
  if (map.flow === true && next === undefined) {
    return { start: endOf(text, previous), end, text: "" };
  }
  // A block's first key may stand behind the dash of a list.
  const line = lineStart(text, start);
  if (map.flow === true || text.slice(line, start).trim() !== "") {
    return { start, end: startOf(next), text: "" };
  }
  const isLine = text.slice(end, lineEnd(text, end)).trim() === "";
  return isLine
    ? { start: line, end: text.indexOf("\n", end) + 1 || text.length, text: "" }
    : { start, end, text: "" };
}

/** Another name for a key, in its quotes. */
function nameText(text: string, pair: Pair, name: PropertyKey = ""): string {
  const [quote = ""] = /^["']?/.exec(text.slice(startOf(pair))) ?? [];
  return quote === "" ? keyName(String(name)) : `${quote}${String(name)}${quote}`;
}

/** The lines after the first one, further to the right or to the left. */
const shifted = (lines: string, by: number): string =>
  by < 0
    ? lines.replace(new RegExp(`\n {0,${-by}}`, "g"), "\n")
    : lines.replace(/\n(?=[^\r\n])/g, `\n${" ".repeat(by)}`);

/** A key and its value, to be written elsewhere. */
interface Moved {
  readonly pair: Pair;
  readonly end: number;
  /** The key's new name, below the keys that are missing around it. */
  readonly keys: Path;
}

/** Lines of its own below a node. */
function linesBelow(text: string, { pair, end, keys }: Moved, node: unknown, column: number): Edit {
  const start = lineEnd(text, endOf(text, node));
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const own = keys.length - 1;
  const around = keys.slice(0, own).map((key) => `${keyName(String(key))}:`);
  const lines = [...around, nameText(text, pair, keys[own])].map(
    (line, index) => `${newline}${" ".repeat(column + 2 * index)}${line}`,
  );
  const value = shifted(text.slice(endOf(text, pair.key), end), column + 2 * own - columnOf(text, pair));
  return { start, end: start, text: `${lines.join("")}${value}` };
}

/** A key and its value in one line. */
function lineOf(document: Document, { pair, keys }: Moved): string {
  const [name = "", ...inner] = keys.map(String);
  const plain =
    isScalar(pair.value) || isCollection(pair.value) ? (pair.value.toJS(document) as unknown) : null;
  const value = inner.reduceRight<unknown>((below, key) => ({ [key]: below }), plain);
  return `${keyName(name)}: ${yamlValue(value)}`;
}

/** Between the braces of a mapping. */
function inBraces(text: string, document: Document, moved: Moved, map: unknown): Edit {
  const line = lineOf(document, moved);
  const last = isMap(map) ? map.items.at(-1) : undefined;
  const end = endOf(text, last);
  return last === undefined ? valueEdit(text, map, `{ ${line} }`) : { start: end, end, text: `, ${line}` };
}

/** A key at its place, below further keys. */
function nested(text: string, document: Document, moved: Moved, inLines: boolean): Edit {
  const { pair, end } = moved;
  if (!inLines) {
    return { start: startOf(pair), end, text: lineOf(document, moved) };
  }
  const below = linesBelow(text, moved, pair, columnOf(text, pair));
  return { start: startOf(pair), end, text: below.text.trimStart() };
}

const isBlock = (node: unknown): node is YAMLMap => isMap(node) && node.flow !== true;

const isNothing = (node: unknown): boolean => isScalar(node) && node.value === null;

/** Where the keys of a mapping begin, if each has a line, or may have one. */
function columnIn(text: string, node: unknown, around: unknown): number | undefined {
  if (isBlock(node)) {
    return columnOf(text, node);
  }
  const isEmpty = isNothing(node) && startOf(node) === endOf(text, node) && isBlock(around);
  return isEmpty ? columnOf(text, around) + 2 : undefined;
}

const pairAt = (map: unknown, key: PropertyKey | undefined): Pair | undefined =>
  isMap(map)
    ? map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(key))
    : undefined;

function moveEdits(text: string, document: Document, from: Path, to: Path): Edit[] {
  const map = document.getIn(from.slice(0, -1));
  const pair = pairAt(map, from.at(-1));
  if (!isMap(map) || pair === undefined || document.hasIn(to)) {
    return [];
  }
  if (isWithin(to, from.slice(0, -1)) && to.length === from.length) {
    const [start, end] = [startOf(pair), endOf(text, pair.key)];
    return [{ start, end, text: nameText(text, pair, to.at(-1)) }];
  }
  const depth = to.findLastIndex((_, index) => document.hasIn(to.slice(0, index)));
  const [node, around] = [depth, depth - 1].map((length) => document.getIn(to.slice(0, length), true));
  const column = columnIn(text, node, around);
  if (column === undefined && !isNothing(node) && !isMap(node)) {
    return [];
  }
  // The only key of a mapping stays where it is, and gets the missing keys around it.
  if (node === map && map.items.length === 1) {
    return [nested(text, document, { pair, end: endOf(text, pair), keys: to.slice(depth) }, isBlock(map))];
  }
  // A comment behind the value goes with it to a line.
  const last = endOf(text, pair);
  const end = isBlock(map) && column !== undefined ? lineEnd(text, last) : last;
  const moved = { pair, end, keys: to.slice(depth) };
  return [
    removal(text, map, pair, end),
    column === undefined ? inBraces(text, document, moved, node) : linesBelow(text, moved, node, column),
  ];
}

/** No correction removes a value. */
function editsFor(text: string, document: Document, step: Step): Edit[] {
  if ("move" in step) {
    return moveEdits(text, document, step.move, step.to);
  }
  return "set" in step && document.hasIn(step.set)
    ? [valueEdit(text, document.getIn(step.set, true), yamlValue(step.value))]
    : [];
}

/** Where a document has a path of the config: Pulumi writes the namespace before its first key. */
function placeIn(document: Document, [first, ...rest]: Path): PropertyKey[] {
  const isPlain = pairAt(document.get("config"), first) !== undefined;
  return ["config", isPlain ? (first ?? "") : `${configNamespace}:${String(first)}`, ...rest];
}

function placed(document: Document, step: Step): Step {
  if ("move" in step) {
    return { move: placeIn(document, step.move), to: placeIn(document, step.to) };
  }
  return "set" in step ? { ...step, set: placeIn(document, step.set) } : step;
}

/** A document in which a change in one place is none in others. */
function plainDocument(text: string): Document | undefined {
  const document = yamlDocument(text);
  return document.errors.length > 0 || aliasTargets(document).size > 0 ? undefined : document;
}

/** The edits of steps on one reading of a text; `undefined` if one of them finds no such key. */
function editsOf(text: string, document: Document, steps: readonly Step[]): Edit[] | undefined {
  const edits = steps.map((step) => editsFor(text, document, placed(document, step)));
  return edits.some((some) => some.length === 0) ? undefined : edits.flat();
}

/** The text after edits, unless another value than that of the steps would change. */
function edited(text: string, document: Document, steps: readonly Step[], edits: readonly Edit[]) {
  // The later ones first, so that the places of the others stay; at one place the last one, so that their order stays.
  const after = [...edits]
    .reverse()
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((all, { start, end, text: part }) => all.slice(0, start) + part + all.slice(end), text);
  const written = yamlDocument(after);
  const own = steps.map((step) => placed(document, step));
  const isRight =
    written.errors.length === 0 &&
    canonicalJson(written.toJS()) === canonicalJson(applySteps(document.toJS() as unknown, own));
  return isRight ? after : undefined;
}

function applyStep(text: string, step: Step): string | undefined {
  const document = plainDocument(text);
  const edits = document && editsOf(text, document, [step]);
  return document && edits && edited(text, document, [step], edits);
}

/**
 * The text of a stack file with steps applied; the other lines stay, to the byte. `undefined` if a step finds no such key, cannot
 * be written with only its lines changed, or if the file has aliases (`*name`), where a change in one place is one in others.
 */
export const applyToText = (text: string, steps: readonly Step[]): string | undefined =>
  steps.reduce<string | undefined>(
    (before, step) => (before === undefined ? undefined : applyStep(before, step)),
    text,
  );

type Fix = readonly Step[];

/** Of fixes that meet, the first one. */
function apart(text: string, document: Document, fixes: readonly Fix[]) {
  const taken: Edit[] = [];
  const chosen = fixes.filter((fix) => {
    const edits = editsOf(text, document, fix);
    const isFree = edits?.every(({ start, end }) =>
      taken.every((other) => end <= other.start || other.end <= start),
    );
    taken.push(...(isFree === true ? (edits ?? []) : []));
    return isFree;
  });
  return { chosen, edits: taken };
}

/** Each of them needs two readings of the text. */
const mostAlone = 20;

/** The same for fixes, each of which may fail: all at once that do not meet, then the first of the others one by one. */
export function applyEach(text: string, fixes: readonly Fix[]): { text: string; applied: ReadonlySet<Fix> } {
  const document = plainDocument(text);
  const applied = new Set<Fix>();
  if (document === undefined) {
    return { text, applied };
  }
  const { chosen, edits } = apart(text, document, fixes);
  const together = edited(text, document, chosen.flat(), edits);
  for (const fix of together === undefined ? [] : chosen) {
    applied.add(fix);
  }
  let after = together ?? text;
  for (const fix of fixes.filter((one) => !applied.has(one)).slice(0, mostAlone)) {
    const next = applyToText(after, fix);
    if (next !== undefined) {
      after = next;
      applied.add(fix);
    }
  }
  return { text: after, applied };
}
