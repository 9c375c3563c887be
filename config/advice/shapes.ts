import { parse } from "yaml";
import { proposedPatch } from "../../platform/kubernetesReleases";
import { networkOf } from "../../platform/network/addressing";
import { isRecord } from "../../tools/untyped";
import { choicesOf, type SchemaNode } from "../jsonSchema";
import { wordsOf } from "../words";
import { mappingOf } from "./collections";
import { present } from "../../tools/present";

/** Texts, numbers and mappings in another shape than the schema has, without a loss of what they say. */

/** "1-5", "1 to 5" or [1, 5] as the range of an autoscaler. */
export function rangesFrom(value: unknown, { properties }: SchemaNode): unknown[] {
  const numbers = Array.isArray(value)
    ? value.map(Number)
    : (/^(\d+)\s*(?:-|–|to|\.\.+|,|:|\/)\s*(\d+)$/.exec(String(value).trim())?.slice(1).map(Number) ?? []);
  const [min, max, ...more] = numbers;
  return properties?.min === undefined || properties.max === undefined || more.length > 0 || max === undefined
    ? []
    : [{ min, max }];
}

/** "1-3" as the numbers from 1 to 3, where each of them is a choice: a range of zones. */
export function digitsFrom(value: unknown, node: SchemaNode): string[] {
  const choices = choicesOf(node).map(String);
  const [from, to] = /^([1-9])\s*(?:-|–|to|\.\.+)\s*([1-9])$/.exec(String(value).trim())?.slice(1) ?? [];
  const [first, last] = [choices.indexOf(from ?? ""), choices.indexOf(to ?? "")];
  return first < 0 || last < first ? [] : choices.slice(first, last + 1);
}

/** A text for a mapping of which it says one key: a switch, a number of machines, or the network of a VNET. */
export function oneKeyFrom(text: string, { properties, required }: SchemaNode): unknown[] {
  return properties?.enabled !== undefined && /^(?:false|off|no|disabled?)$/i.test(text)
    ? [{ enabled: false }]
    : properties?.enabled !== undefined && /^(?:true|on|yes|enabled?)$/i.test(text)
      ? [{ enabled: true }]
      : properties?.replicas !== undefined && /^\d+$/.test(text)
        ? [{ replicas: Number(text) }]
        : properties?.vnetCidr !== undefined
          ? networkOf(text)
              .slice(0, 1)
              .map((vnetCidr) => ({ vnetCidr }))
          : [
              ...assigned(text, properties ?? {}),
              ...switchedOn(text, properties ?? {}),
              ...onlyFitting(text, properties ?? {}, required ?? []),
            ];
}

/** A text in the form of its description, such as `[USER@]HOST[:PORT]`, from a mapping with its parts. */
export function fromParts(value: Readonly<Record<string, unknown>>, { allowed = "" }: SchemaNode): string[] {
  const [form = ""] = /^(?:https?:\/\/)?[[\]A-Z@:/.]+(?=$|[;,\s])/.exec(allowed) ?? [];
  const words: readonly string[] = form.match(/[A-Z]+/g) ?? [];
  const parts = Object.entries(value).map(([key, part]) => [key.toUpperCase(), part] as const);
  const known = new Map(parts.filter(([key]) => words.includes(key)));
  // What is called a name is the part that nothing else names.
  const [other, ...more] = parts.filter(([key]) => !known.has(key));
  const [word = "", ...rest] = words.filter((one) => !known.has(one));
  if (other?.[0] === "NAME" && rest.length === 0) {
    known.set(word, other[1]);
  }
  const isAll =
    known.size === parts.length && more.length === 0 && parts.every(([, part]) => typeof part !== "object");
  const text = form
    .replace(/\[([^\]]*?)([A-Z]+)([^\]]*?)\]/g, (_, before: string, one: string, after: string) =>
      known.has(one) ? `${before}${one}${after}` : "",
    )
    .replace(/[A-Z]+/g, (one) => (known.has(one) ? String(known.get(one)) : `<${one}>`));
  return words.length > 1 && isAll && !text.includes("<") ? [text] : [];
}

/** Keys and values with an equals sign, or a colon without a space: `replicas = 3`. YAML makes one text of such lines. */
function assigned(text: string, properties: Readonly<Record<string, SchemaNode>>): unknown[] {
  const found = [...text.matchAll(/(\w+)(?:\s*=\s*|:)([^\s=,]+)[\s,]*/g)];
  const isAll = found.map(([whole]) => whole).join("") === text;
  return isAll && found.length > 0 && found.every(([, key = ""]) => properties[key] !== undefined)
    ? mappingOf(found.map(([, key = "", value = ""]) => [key, parse(value) as unknown]))
    : [];
}

/** A text in a mapping with one key that takes such a text, the first that is required, or the only one. */
function onlyFitting(
  text: string,
  properties: Readonly<Record<string, SchemaNode>>,
  required: readonly string[],
): unknown[] {
  const fitting = Object.entries(properties)
    .filter(
      ([, { type, pattern }]) => type === "string" && pattern !== undefined && new RegExp(pattern).test(text),
    )
    .map(([key]) => key);
  const [key] = fitting.length === 1 ? fitting : required.filter((one) => fitting.includes(one));
  return key === undefined ? [] : [{ [key]: text }];
}

/** A word that is a switch in a mapping, such as `apiServer: private`, or a value of its first choice. */
function switchedOn(text: string, properties: Readonly<Record<string, SchemaNode>>): unknown[] {
  const own = properties[text];
  const word = text.toLowerCase();
  const [choice] = Object.entries(properties).find(([, node]) => node.enum?.includes(word) === true) ?? [];
  return own?.const === true || own?.type === "boolean"
    ? [{ [text]: true }]
    : present(choice !== undefined && { [choice]: word });
}

/** The only value of a mapping that fits, where a text belongs: `{name: key1}`. */
export function onlyText(value: Readonly<Record<string, unknown>>, { pattern }: SchemaNode = {}): unknown[] {
  const all = Object.values(value);
  const fitting =
    pattern === undefined || all.length === 1
      ? all
      : all.filter((one) => new RegExp(pattern).test(String(one)));
  const [only, ...more] = fitting;
  const [key = ""] = Object.keys(value);
  // A text with a colon, such as a command, is a mapping without quotes.
  const isText = typeof only === "string" || only === null;
  const whole = isText && all.length === 1 && key.includes(" ") ? [`${key}: ${only ?? ""}`.trim()] : [];
  return [...whole, ...(typeof only === "string" && more.length === 0 ? [only] : [])];
}

/** The name of an image in parts, as charts have it: `{registry, repository, tag}`. */
export function imageFrom(value: Readonly<Record<string, unknown>>): string[] {
  const { registry, repository, name, tag, version, ...others } = value;
  const parts = [registry, repository, name].filter((one) => typeof one === "string");
  const release = tag ?? version;
  return Object.keys(others).length > 0 || typeof release !== "string" || parts.length === 0
    ? []
    : [`${parts.join("/")}:${release}`];
}

/** A part as a percentage, where one is allowed: 0.25 is 25%. */
export const percentage = (value: number, { allowed = "" }: SchemaNode): string[] =>
  value > 0 && value < 1 && allowed.includes("a percentage") ? [`${Math.round(value * 100)}%`] : [];

/** Part of a CPU as a number: 0.25 is 250m. */
export const millis = (value: number, { pattern = "" }: SchemaNode): string[] =>
  !Number.isInteger(value) && new RegExp(pattern).test("500m") && !new RegExp(pattern).test(String(value))
    ? [`${Math.round(value * 1000)}m`]
    : [];

/** Groups and users in one list; only the name of a user is an address. */
export function subjectsFrom(given: readonly unknown[], { properties }: SchemaNode): unknown[] {
  // Subjects of a ClusterRoleBinding.
  const kinds = new Map(given.filter(isRecord).map(({ kind, name }) => [name, kind]));
  const list = given.map((one) => (isRecord(one) ? one.name : one));
  const isUser = (name: unknown): boolean =>
    kinds.has(name) ? kinds.get(name) === "User" : String(name).includes("@");
  const [users, groups] = [list.filter(isUser), list.filter((name) => !isUser(name))];
  return properties?.groups === undefined ||
    properties.users === undefined ||
    list.some((name) => typeof name !== "string")
    ? []
    : [{ ...(groups.length > 0 ? { groups } : {}), ...(users.length > 0 ? { users } : {}) }];
}

const letters = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");

/** The choice of which a text is the beginning, such as "sun", or a part, such as "strict"; and the word for nothing. */
export const shortChoice = (text: string, choices: readonly unknown[]): unknown[] => {
  const own = letters(text.replace(/^\(.*?\)\s*|\s*\(.*?\)$/g, ""));
  const starting = choices.filter((choice) => own.length >= 3 && letters(choice).startsWith(own));
  const containing = choices.filter((choice) => own.length >= 4 && letters(choice).includes(own));
  // Azure's types of disks end in their redundancy: the portal's "Premium SSD" is Premium_LRS.
  const isZonal = /zone-redundant/i.test(text);
  const family = choices.filter((choice) =>
    [own, own.replace(/[sh][sd]d$/, "")].includes(letters(String(choice).replace(/_[A-Z]+$/, ""))),
  );
  // Of the kind "natGateway" for nat, and without "csi", which the names of Azure's storage classes have today.
  const inside = choices.filter((choice) => letters(choice).length >= 5 && own.includes(letters(choice)));
  const alike = choices.filter((choice) => wordsOf(String(choice))[0] === wordsOf(text)[0]);
  const longer = choices.filter((choice) => letters(choice).length >= 3 && own.startsWith(letters(choice)));
  const older = choices.filter((choice) => letters(choice).replace("csi", "") === own);
  const found =
    [
      family.filter((choice) => !isZonal || String(choice).endsWith("_ZRS")).slice(0, 1),
      older,
      starting,
      containing,
      longer,
      inside,
      alike,
    ].find((some) => some.length === 1) ?? [];
  const isOff = choices.includes("none") && /^(?:false|off|no)$/i.test(text);
  // Whoever waits for all waits for the nodes, too.
  const isAll = choices.includes("nodes") && /^(?:all|workers?)$/i.test(text);
  const isRefused = choices.includes("deny") && /^(?:enforced?|block|refuse|reject|forbid)$/i.test(text);
  const isTrial = choices.includes("audit") && /^(?:dry-?run|log|report|monitor)$/i.test(text);
  return [
    ...(isOff ? ["none"] : []),
    ...(isTrial ? ["audit"] : []),
    ...(isAll ? ["nodes"] : []),
    ...(isRefused ? ["deny"] : []),
    ...found,
  ];
};

/** An amount of memory without its unit, which never means bytes. */
export const mebibytes = (value: number, { pattern }: SchemaNode): string[] =>
  pattern !== undefined && value >= 16 && new RegExp(pattern).test(`${value}Mi`) ? [`${value}Mi`] : [];

/** An address without its scheme, or with a slash at the end. */
export function urls(text: string, { pattern = "" }: SchemaNode): string[] {
  const scheme = /^\^(https?:\/\/)/.exec(pattern.replaceAll("\\/", "/"))?.[1];
  return scheme === undefined ? [] : [`${scheme}${text.replace(/^\w+:\/\//, "").replace(/\/+$/, "")}`];
}

/** A repository of images without the scheme, the tag and the digest that other tools write with it. */
export const repositories = (text: string, { pattern = "" }: SchemaNode): string[] =>
  pattern.startsWith("^[a-z0-9.-]+(:[0-9]+)?(")
    ? [
        text
          .trim()
          .toLowerCase()
          .replace(/^\w+:\/\//, "")
          .replace(/@sha256:.*$/, "")
          .replace(/(\/[^/:]+):[^/]*$/, "$1")
          .replace(/\/+$/, ""),
      ]
    : [];

/** "1.35" and "v1.35.6-rc.1" as versions with a patch, and without one. */
export function versions(text: string): string[] {
  const [, minor, patch] = /^v?1\.(\d{1,3})(?:\.(\d+))?/.exec(text) ?? [];
  if (minor === undefined) {
    return [];
  }
  const known = proposedPatch(Number(minor));
  return [
    ...(patch === undefined || patch.length > 3
      ? []
      : [`v1.${minor}.${Number(patch)}`, `1.${minor}.${Number(patch)}`]),
    ...(known === undefined ? [] : [known]),
    `1.${minor}`,
  ];
}

/** The name in an ARM ID where a name belongs: of what the key is about, otherwise of the resource that the ID is of. */
export function namesInId(text: string, { pattern, allowed }: SchemaNode, key?: PropertyKey): string[] {
  const parts = text.trim().split("/").slice(1);
  const isGuid = allowed?.includes("GUID") === true;
  if (!/^\/subscriptions\//i.test(text.trim()) || isGuid || pattern?.includes("subscriptions") === true) {
    return [];
  }
  const at = parts.findIndex((part) => part.toLowerCase() === `${String(key).toLowerCase()}s`);
  const own = parts[at + 1];
  return at >= 0 && own !== undefined ? [own] : parts.slice(-1);
}

/** The ARM IDs of what an Azure resource is in: of the VNET of a subnet. */
export const outerIds = (text: string): string[] => {
  const [, outer] = /^(\/subscriptions\/.+\/providers\/.+)(?:\/[^/]+){2}$/i.exec(text.trim()) ?? [];
  return outer === undefined ? [] : [outer, ...outerIds(outer)];
};

/** A VM size in another case or without its prefix: "d8s_v5" becomes "Standard_D8s_v5". */
export function vmSizes(text: string, { pattern = "" }: SchemaNode): string[] {
  const [, family, rest] =
    /^(?:standard_)?([a-z]+)(\d\w*)$/i.exec(
      text
        .trim()
        .replace(/\s*\(.*\)$/, "")
        .replace(/[\s-]+/g, "_"),
    ) ?? [];
  if (!pattern.includes("Standard") || family === undefined || rest === undefined) {
    return [];
  }
  const name = /[a-z]/.test(family) && !/[A-Z]/.test(family) ? family.toUpperCase() : family;
  return [`Standard_${name}${rest.replace(/([a-z0-9])v(\d+)$/i, "$1_v$2")}`];
}

/** The path of a URL, where a path of a registry belongs. */
export const pathsOfUrl = (text: string, { allowed = "" }: SchemaNode): string[] =>
  allowed.startsWith("a path such as") ? [text.trim().replace(/^\w+:\/\/[^/]*\/|\/+$/g, "")] : [];

/** Spellings of a name or an identifier that Azure and Kubernetes accept. */
export function spellings(text: string): string[] {
  // The portal writes the part of the world before the region: (Europe) North Europe.
  const lower = text
    .trim()
    .toLowerCase()
    .replace(/^\(.*?\)\s*/, "");
  const hyphens = lower.replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "");
  return [lower, hyphens, hyphens.slice(0, 44).replace(/-+$/, ""), lower.replace(/[^a-z0-9]/g, "")];
}
