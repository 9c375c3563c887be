import { parseDocument } from "yaml";
import { isRecord } from "../../tools/untyped";
import { keysOf, type SchemaNode } from "../jsonSchema";
import { plainName } from "../words";
import { applySteps, type Step } from "./steps";

/** Lists where mappings belong, and mappings where lists belong, without a loss of what they say. */

/** "a=b" and "a: b" as a pair. */
const pairOf = (text: unknown): [string, string] | undefined => {
  // An image with its digest has colons before it.
  const [, key, value] =
    /^(\S+)@(sha256:\S+)$/.exec(String(text)) ?? /^([^=:\s]+)\s*[=:]\s*(\S*)$/.exec(String(text)) ?? [];
  return key === undefined || value === undefined ? undefined : [key, value];
};

/** A mapping of texts that was written as "a=b,c=d", or as a list of such texts. */
export function pairs(texts: readonly unknown[]): unknown[] {
  const found = texts.map(pairOf);
  return found.every((pair) => pair !== undefined) ? mappingOf(found) : [];
}

/** A mapping in YAML as a block of text, with keys that belong there. What anchors and aliases mean there is not asked. */
export function mappingInText(text: string, node: SchemaNode): unknown[] {
  const document = text.includes(":") && !/[&*]/.test(text) ? parseDocument(text) : undefined;
  const found: unknown = document?.errors.length === 0 ? document.toJS() : undefined;
  const known = keysOf(node);
  return isRecord(found) &&
    Object.keys(found).every((key) => known.includes(key) || (known.length === 0 && /^\w+$/.test(key)))
    ? [found]
    : [];
}

/** A mapping, unless a name is there twice: one of the two would be lost. */
export const mappingOf = (entries: readonly (readonly [string, unknown])[]): unknown[] =>
  entries.length > 0 && new Set(entries.map(([name]) => name)).size === entries.length
    ? [Object.fromEntries(entries)]
    : [];

/** The texts of a mapping whose keys are only words for a name and a value, such as `{name: web, cidr: 10.0.0.0/24}`. */
function namedText(item: unknown): readonly [unknown, unknown] {
  const [[, name] = [], [, value] = [], ...more] = Object.entries(isRecord(item) ? item : {});
  return more.length === 0 ? [name, value] : [undefined, undefined];
}

/** An object of Kubernetes, where a mapping has a key for its kind. */
function byKind(
  item: Readonly<Record<string, unknown>>,
  properties: SchemaNode["properties"],
): Readonly<Record<string, unknown>> {
  const { kind, ...rest } = Object.fromEntries(Object.entries(item).filter(([key]) => key !== "apiVersion"));
  return typeof kind === "string" && properties?.[kind] !== undefined && item.name === undefined
    ? { name: kind, ...rest }
    : item;
}

/** Turns a list of mappings with names, such as AKS's pools, into a mapping by name. */
export function byName(
  list: readonly unknown[],
  { additionalProperties, properties }: SchemaNode,
): unknown[] {
  const isOfTexts = isRecord(additionalProperties) && additionalProperties.type === "string";
  const entries = list.map((item) => {
    const { name: given, ...rest } = isRecord(item) ? byKind(item, properties) : { name: item };
    const name =
      Object.keys(properties ?? {}).find((key) => plainName(key) === plainName(String(given))) ?? given;
    const own = properties?.[String(name)];
    // An add-on under another name is one, too.
    const all = own === undefined ? Object.values(properties ?? {}) : [own];
    const switched = all.filter((one) => one.properties?.enabled !== undefined);
    const isSwitch = switched.length > all.length / 3 && !("enabled" in rest);
    return isOfTexts ? namedText(item) : ([name, isSwitch ? { enabled: true, ...rest } : rest] as const);
  });
  return entries.every((one): one is readonly [string, unknown] => typeof one[0] === "string")
    ? mappingOf(entries)
    : [];
}

/** Turns a mapping into the list that belongs there: its only item, or items with their names or without. */
export function listsFrom(value: Readonly<Record<string, unknown>>, { items }: SchemaNode): unknown[] {
  const keys = Object.keys(value);
  const known = keysOf(items);
  const inner = Object.values(value);
  return known.length === 0
    ? items?.type === "string"
      ? [inner.flat()]
      : [[value]]
    : keys.length === 0 || keys.some((key) => known.some((one) => one.toLowerCase() === key.toLowerCase()))
      ? [[value]]
      : inner.every(isRecord) && known.includes("name")
        ? [keys.map((name) => ({ name, ...(value[name] as object) }))]
        : [...itemsFrom(value, known), ...(items === undefined ? [] : itemsByName(value, items))];
}

/** Joins the keys of a mapping that were written as items of a list. */
export const asOne = (list: readonly unknown[]): unknown[] =>
  list.every(isRecord) ? mappingOf(list.flatMap((item) => Object.entries(item))) : [];

/** Items by the key that each of them needs and none has: their names in a mapping. */
function itemsByName(
  value: Readonly<Record<string, unknown>>,
  { properties, required = [] }: SchemaNode,
): unknown[] {
  const entries = Object.entries(value);
  const missing = required.filter((one) => entries.every(([, item]) => isRecord(item) && !(one in item)));
  // Of several, the one whose choices the names are.
  const chosen = missing.filter((one) => entries.every(([name]) => properties?.[one]?.enum?.includes(name)));
  const [key, ...more] = chosen.length > 0 ? chosen : missing;
  return key === undefined || more.length > 0 || properties?.[key]?.type !== "string"
    ? []
    : [entries.map(([name, item]) => ({ [key]: name, ...(item as object) }))];
}

/** A mapping such as `{dedicated: iis}` as taints, and one of paths to texts as files. */
function itemsFrom(value: Readonly<Record<string, unknown>>, known: readonly string[]): unknown[] {
  const entries = Object.entries(value);
  if (known.includes("path") && known.includes("content") && entries.every(([path]) => /[/\\]/.test(path))) {
    return [entries.map(([path, one]) => ({ path, ...(isRecord(one) ? one : { content: String(one) }) }))];
  }
  if (entries.some(([, one]) => isRecord(one) || Array.isArray(one))) {
    return [];
  }
  return known.includes("effect")
    ? [
        entries.map(([key, text]) => {
          const parts = String(text).split(":");
          const effect = /^(?:NoSchedule|PreferNoSchedule|NoExecute)$/.test(parts.at(-1) ?? "")
            ? parts.at(-1)
            : parts[1];
          const own = parts.length === 1 && effect !== undefined ? "" : parts[0];
          return { key, ...(own === "" ? {} : { value: own }), ...(effect === undefined ? {} : { effect }) };
        }),
      ]
    : [];
}

/** A JSON patch (RFC 6902) that adds and replaces fields of mappings, as a merge patch. */
export function patchFrom(list: readonly unknown[]): unknown[] {
  const steps = list.map((item): Step | undefined => {
    const { op, path, value, ...others } = isRecord(item) ? item : {};
    const keys = String(path)
      .split("/")
      .slice(1)
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const isPlain = keys.length > 0 && keys.every((key) => !/^(\d+|-|__proto__|)$/.test(key));
    return isPlain &&
      Object.keys(others).length === 0 &&
      value !== undefined &&
      /^(add|replace)$/.test(String(op))
      ? { set: keys, value }
      : undefined;
  });
  const known = steps.filter((step) => step !== undefined);
  return known.length > 0 && known.length === list.length ? [applySteps({}, known)] : [];
}

/** A list in place of a mapping with one list that is required. */
export function onlyList(list: readonly unknown[], { properties, required = [] }: SchemaNode): unknown[] {
  const [key, ...more] = required.filter((one) => properties?.[one]?.type === "array");
  return key === undefined || more.length > 0 || required.length > 1 ? [] : [{ [key]: list }];
}

/** The text or number that is alone in a list. */
export const onlyItem = (list: readonly unknown[]): unknown[] =>
  list.length === 1 && ["string", "number"].includes(typeof list[0]) ? [...list] : [];

/** Lines that each say something of their own: none that begins or ends a block, or continues another one. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.some((line) => /^\s|[{(\\^`|&]\s*$|^[})]|\b(then|do|else)$/.test(line)) ? [text] : lines;
}

/** The parts of a text, each of which is a name or a pair. PowerShell's hashtables are in braces, with quoted values. */
export function partsOf(text: string): string[] {
  const [, inner] = /^@\{(.*)\}$/s.exec(text.trim()) ?? [];
  const parts =
    inner === undefined
      ? text.trim().split(/[\s,;]+/)
      : inner
          .trim()
          .split(/\s*[;\n]\s*/)
          .map((part) => part.replace(/\s*=\s*/, "=").replace(/['"]/g, ""));
  return parts.filter((part) => part !== "");
}
