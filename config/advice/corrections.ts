import { networkOf } from "../../platform/network/addressing";
import { mayBeSecret } from "../../tools/problem";
import { isRecord } from "../../tools/untyped";
import { letterOf } from "../foreignKeys/values";
import { closestChoice, namedChoices } from "./choices";
import { exampleOf } from "./examples";
import {
  asOne,
  byName,
  linesOf,
  listsFrom,
  mappingInText,
  mappingOf,
  onlyItem,
  onlyList,
  pairs,
  partsOf,
  patchFrom,
} from "./collections";
import {
  digitsFrom,
  fromParts,
  imageFrom,
  mebibytes,
  millis,
  namesInId,
  outerIds,
  oneKeyFrom,
  onlyText,
  rangesFrom,
  repositories,
  pathsOfUrl,
  percentage,
  shortChoice,
  spellings,
  subjectsFrom,
  urls,
  versions,
  vmSizes,
} from "./shapes";
import { days, offsets, timesOfDay, windowsFrom } from "./moments";
import { fromSmallerUnit, numberOf } from "./units";
import { choicesOf, type SchemaNode, typesOf } from "../jsonSchema";

/** Longer texts are hardly misspelled values; they are pasted into the wrong place, and may be secrets. */
const longestCorrected = 80;

/** Whether a text is a version of Kubernetes, in contrast to one of a chart or a provider. */
const isOfKubernetes = ({ pattern = "" }: SchemaNode): boolean => pattern.includes("1\\.");

/** Whether a text is free text, such as a command, whose words are not items of a list. */
const isFreeText = (node: SchemaNode | undefined): boolean =>
  node !== undefined &&
  typesOf(node).includes("string") &&
  choicesOf(node).length === 0 &&
  node.pattern === undefined &&
  node.allowed === undefined;

function fromText(text: string, node: SchemaNode, key?: PropertyKey): unknown[] {
  const types = typesOf(node);
  const isListOfIds = types.includes("array") && node.items?.pattern !== undefined;
  const isId = isListOfIds || /^\/subscriptions\//i.test(text);
  // The word Secret is a choice where Secrets are encrypted.
  const words = [node, node.items ?? {}].flatMap(choicesOf);
  const isSecret =
    mayBeSecret(text) &&
    !/^\/subscriptions\//i.test(text) &&
    !text.split(/[\s,;]+/).every((part) => closestChoice(part, words).length > 0);
  const lines = types.includes("array") && isFreeText(node.items) ? linesOf(text) : [];
  if (lines.length > 1 && !isSecret) {
    return [lines];
  }
  if ((text.length > longestCorrected && !isId) || isSecret) {
    return text.trim() === text || isSecret ? [] : [text.trim()];
  }
  if (types.includes("object")) {
    const sizes = node.properties?.vmSize === undefined ? [] : vmSizes(text, node.properties.vmSize);
    return [
      ...oneKeyFrom(text.trim(), node),
      ...rangesFrom(text, node),
      ...windowsFrom(text.trim(), node),
      ...mappingInText(text, node),
      ...sizes.map((vmSize) => ({ vmSize })),
      ...mappingsFrom(text, node),
    ];
  }
  if (types.includes("array")) {
    const { items } = node;
    const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
    const digits = node.items === undefined ? [] : digitsFrom(text, node.items);
    if (digits.length > 0) {
      return [digits];
    }
    const chosen = parts.filter((one) => items !== undefined && choicesOf(items).includes(one));
    // "Zones 1, 2, 3"
    const named = chosen.length > 0 && parts.every((one) => chosen.includes(one) || /^[a-z]+$/i.test(one));
    return isFreeText(node.items)
      ? [linesOf(text)]
      : [...(named ? [chosen] : []), parts, ...itemByItem(parts, node), [text]];
  }
  const number = numberOf(text.replace(/^[/=]\s*(?=\d)/, ""), key);
  const numbers =
    number !== undefined && (types.includes("integer") || types.includes("number"))
      ? fromNumber(number, node, key)
      : [];
  const choices = choicesOf(node);
  if (choices.length > 0) {
    return [
      ...numbers,
      ...namedChoices(text, choices),
      ...shortChoice(text.trim(), choices),
      ...closestChoice(text.trim(), choices),
    ];
  }
  if (types.includes("boolean")) {
    return /^\$?(yes|on|y|true|enabled?)$/i.test(text)
      ? [true]
      : /^\$?(no|off|n|false|disabled?)$/i.test(text)
        ? [false]
        : [];
  }
  return types.includes("string")
    ? [
        ...(text.includes("%") ? [text.replace(/\s+/g, "")] : []),
        ...numbers,
        text.trim(),
        ...timesOfDay(text.trim()),
        ...days(text.trim(), node),
        ...offsets(text, node),
        text.trim().replace(/^v(?=\d)/i, ""),
        text.trim().replace(/\\/g, "/"),
        ...(text.includes(":") ? [letterOf(text) ?? []].flat() : []),
        ...(/^\d{3}$/.test(text) ? [`0${text}`] : []),
        ...pathsOfUrl(text, node),
        text.replace(/^[^\w/]+|[^\w/]+$/g, ""),
        ...networkOf(text),
        ...namesInId(text, node, key),
        ...outerIds(text),
        text.trim().replace(/^(\d+(?:\.\d+){3})(?:\/32|:\d+)$/, "$1"),
        text.trim().replace(/^(\d+),(\d+)$/, "$1.$2"),
        ...(String(key).endsWith("Prefix") ? [`${text.trim()}:`] : []),
        ...(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text) ?? []),
        ...(isOfKubernetes(node) ? versions(text) : []),
        ...vmSizes(text, node),
        text.replace(
          /^(\d+)\s*([MG])i?B?$/i,
          (_, size: string, unit: string) => `${size}${unit.toUpperCase()}i`,
        ),
        ...urls(text, node),
        ...repositories(text, node),
        ...spellings(text),
      ]
    : numbers;
}

/** YAML reads 1.30 as 1.3, which is not a Kubernetes version. */
const versionText = (value: number): string =>
  /^1\.[1-9]$/.test(String(value)) ? `${value}0` : String(value);

function fromNumber(value: number, node: SchemaNode, key?: PropertyKey): unknown[] {
  const types = typesOf(node);
  const asText = types.includes("string")
    ? [
        ...mebibytes(value, node),
        ...millis(value, node),
        ...percentage(value, node),
        ...offsets(value < 0 ? String(value) : `+${value}`, node),
        String(value),
        `${value}.0`,
        String(value).padStart(4, "0"),
        ...(isOfKubernetes(node) ? versions(versionText(value)) : []),
      ]
    : [];
  if (!Number.isFinite(value) || !(types.includes("integer") || types.includes("number"))) {
    return asText;
  }
  const { minimum = -Infinity, maximum = Infinity } = node;
  const whole = Math.round(String(key).endsWith("Percent") && value < 1 ? value * 100 : value);
  // The smallest number may not fit the rest of the stack, as one machine does not for a health check.
  const others = whole < minimum ? [...(node.examples ?? []), ...choicesOf(node)] : [];
  const inUnit = whole > maximum ? fromSmallerUnit(whole, key) : [];
  const fitting = inUnit.filter((one) => one >= minimum && one <= maximum);
  return [...asText, ...fitting, Math.min(maximum, Math.max(minimum, whole)), ...others];
}

/** What a text may mean where a mapping belongs: a taint in kubectl's notation, labels, a name, an image. */
function mappingsFrom(text: string, { properties, additionalProperties }: SchemaNode): unknown[] {
  const [, key, value, effect] = /^([^=:\s]+)(?:=([^:\s]*))?:(\w+)$/.exec(text) ?? [];
  if (properties?.effect !== undefined) {
    return key === undefined ? [] : [{ key, ...(value === undefined ? {} : { value }), effect }];
  }
  if (properties?.url !== undefined) {
    return fromText(text, properties.url).map((url) => ({ url }));
  }
  if (properties?.marketplace !== undefined) {
    return text.split(":").length === 4 ? [{ marketplace: { urn: text } }] : [{ id: text }];
  }
  if (!isRecord(additionalProperties)) {
    return [];
  }
  const parts = partsOf(text);
  return additionalProperties.type === "string"
    ? pairs(parts)
    : parts.every((part) => /^[a-z][a-z0-9-]*$/.test(part))
      ? mappingOf(parts.map((part) => [part, {}]))
      : [];
}

/** A list in which each item is corrected. */
function itemByItem(list: readonly unknown[], { items }: SchemaNode): unknown[] {
  const own = items;
  const isNetwork = own?.format === "cidrv4";
  const fits = (item: unknown): boolean =>
    (own?.type !== "object" || isRecord(item)) &&
    (choicesOf(own ?? {}).length === 0 || choicesOf(own ?? {}).includes(item)) &&
    new RegExp(own?.pattern ?? "").test(String(item)) &&
    (!isNetwork || networkOf(String(item))[0] === item);
  return own === undefined || list.length === 0
    ? []
    : [list.map((item) => [item, ...corrections(item, own)].find(fits) ?? item)];
}

/**
 * Values that a user may have meant, likeliest first, derived from the value that was written. They are proposals: the
 * report prints the first that the whole config accepts.
 */
export function corrections(value: unknown, node: SchemaNode, key?: PropertyKey): unknown[] {
  const types = typesOf(node);
  const empty = types.includes("object") ? [{}] : types.includes("array") ? [[]] : [];
  if (value === null || value === "") {
    return value === null ? empty : [];
  }
  if (Array.isArray(value)) {
    return types.includes("array")
      ? [[...new Set(value)], ...itemByItem(value, node)]
      : types.includes("object")
        ? [
            ...patchFrom(value),
            ...rangesFrom(value, node),
            ...subjectsFrom(value, node),
            ...byName(value, node),
            ...pairs(value),
            ...asOne(value),
            ...onlyList(value, node),
            ...(value.length === 1 && isRecord(value[0]) ? [value[0]] : []),
            ...onlyItem(value).flatMap((only) => corrections(only, node, key)),
          ]
        : onlyItem(value).flatMap((only) => [only, ...corrections(only, node, key)]);
  }
  if (typeof value === "string") {
    return fromText(value, node, key);
  }
  if (typeof value === "number") {
    // A number is no mapping: as an item of a list of mappings, it would only be the next problem.
    return !types.includes("array")
      ? types.includes("object") && node.properties?.replicas !== undefined
        ? oneKeyFrom(String(value), node)
        : fromNumber(value, node, key)
      : node.items?.type === "object"
        ? []
        : [[String(value)], [value]];
  }
  if (typeof value === "boolean") {
    const isSwitched = node.properties?.enabled !== undefined;
    return isSwitched
      ? [{ enabled: value }]
      : !value && choicesOf(node).includes("none")
        ? ["none"]
        : types.includes("string")
          ? [String(value)]
          : value && types.includes("object")
            ? [{}, exampleOf(node)]
            : [];
  }
  return isRecord(value)
    ? types.includes("array")
      ? listsFrom(value, node)
      : types.includes("string") || choicesOf(node).length > 0
        ? [
            ...onlyText(value, node),
            ...onlyText(value, node).flatMap((one) =>
              typeof one === "string" ? fromText(one, node, key) : [],
            ),
            ...imageFrom(value),
            ...fromParts(value, node),
          ]
        : types.includes("integer")
          ? onlyItem(Object.values(value)).flatMap((only) => corrections(only, node, key))
          : []
    : [];
}
