import { z } from "zod";
import { isRecord, ownValue } from "capz-windows-kit/untyped";
import { stackSchema } from "./schema/stack";

/**
 * A node of the JSON Schema that zod generates. `allowed`, `examples`, `placeholder` and `secret` are metadata of this
 * project.
 */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly propertyNames?: SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allowed?: string;
  readonly examples?: readonly unknown[];
  /** What to write where only the user knows the value, in angle brackets. */
  readonly placeholder?: string;
  readonly secret?: boolean;
}

let cached: SchemaNode | undefined;

/** JSON Schema of the stack config without the `capz-windows:` prefix. */
export function configSchema(): SchemaNode {
  cached ??= z.toJSONSchema(stackSchema, { io: "input", unrepresentable: "any" }) as SchemaNode;
  return cached;
}

export const alternatives = (node: SchemaNode): readonly SchemaNode[] => node.oneOf ?? node.anyOf ?? [];

/** The keys that are allowed below a node, in any of its alternatives. */
export function keysOf(node: SchemaNode | undefined): string[] {
  if (!node) {
    return [];
  }
  const keys = Object.keys(node.properties ?? {});
  return [...new Set([...keys, ...alternatives(node).flatMap(keysOf)])];
}

/** Whether users name the keys of a mapping, as they do with pools. */
export const isNamed = (node: SchemaNode | undefined): boolean =>
  typeof node?.additionalProperties === "object";

/** The alternative for a value with this `kind`, or for one whose keys are all of one kind; otherwise the node itself. */
function alternativeFor(node: SchemaNode, value: unknown): SchemaNode {
  const kinds = alternatives(node).filter(({ properties }) => properties?.kind?.const !== undefined);
  if (kinds.length === 0) {
    return node;
  }
  const { kind, ...others } = isRecord(value) ? value : {};
  const keys = Object.keys(others);
  const known = (one: SchemaNode): number => keys.filter((key) => key in (one.properties ?? {})).length;
  const [best, ...rest] = [...kinds].sort((a, b) => known(b) - known(a));
  return (
    kinds.find(
      ({ properties }) =>
        properties?.kind?.const === kind || others[String(properties?.kind?.const)] === true,
    ) ?? (best !== undefined && rest.every((other) => known(other) < known(best)) ? best : node)
  );
}

export function child(node: SchemaNode, key: PropertyKey): SchemaNode | undefined {
  if (typeof key === "number") {
    return node.items;
  }
  const property = ownValue(node.properties, String(key));
  if (property !== undefined) {
    return property;
  }
  if (typeof node.additionalProperties === "object") {
    return node.additionalProperties;
  }
  const found = alternatives(node).flatMap((alternative) => child(alternative, key) ?? []);
  const constants = found.map((one) => one.const);
  return found.length > 1 && !constants.includes(undefined)
    ? { type: "string", enum: constants, examples: constants.slice(0, 1) }
    : found[0];
}

/**
 * The node at a path such as ["windowsPools", "win1", "replicas"]; `undefined` if the schema has no such path.
 * @param root - a config, whose `kind` selects between alternatives
 */
export function nodeAt(path: readonly PropertyKey[], root?: unknown): SchemaNode | undefined {
  let node: SchemaNode | undefined = configSchema();
  let whole: SchemaNode | undefined = node;
  let value: unknown = root;
  for (const key of path) {
    // A wrong kind is not that of the keys beside it alone.
    const around: SchemaNode | undefined = key === "kind" ? whole : node;
    node = around && child(around, key);
    whole = node;
    value =
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
    node = node && alternativeFor(node, value);
  }
  return node;
}

/** Whether a node accepts only the values of a list. */
export const isChoice = (node: SchemaNode | undefined): boolean =>
  node !== undefined &&
  (node.enum !== undefined ||
    node.const !== undefined ||
    (alternatives(node).length > 0 && alternatives(node).every(isChoice)));

/** The types that a node accepts: string, integer, number, boolean, array or object. */
export const typesOf = (node: SchemaNode): string[] => [
  ...(node.type === undefined ? [] : [node.type]),
  ...alternatives(node).flatMap(typesOf),
];

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  array: "list",
  object: "mapping",
};

/** The types of a node as users name them. */
export const typeText = (node: SchemaNode): string =>
  [...new Set(typesOf(node).map((type) => typeNames[type] ?? type))].join(" or ");

/**
 * The beginning of a description that says what a key is: with the values of other keys that it is for (`nat: `), and all of
 * what is in parentheses or code.
 */
export function firstSentence(description: string): string {
  const [first = ""] =
    /^(?:\w+: )*(?:\([^)]*\)|`[^`]*`|[^.;:]|[.;:](?! ))*/.exec(description.replace(/^SECRET[.:,] /, "")) ??
    [];
  return first;
}

/** The values of a choice. */
export const choicesOf = (node: SchemaNode): unknown[] => [
  ...(node.enum ?? []),
  ...(node.const === undefined ? [] : [node.const]),
  ...alternatives(node).flatMap(choicesOf),
];

/** The values that a node accepts, in words. */
export function allowedText(node: SchemaNode | undefined): string {
  if (!node) {
    return "nothing";
  }
  if (node.allowed) {
    return node.allowed;
  }
  if (node.anyOf && isChoice(node)) {
    return [...new Set(choicesOf(node).map(String))].join(", ");
  }
  if (node.enum) {
    return node.enum.map(String).join(", ");
  }
  if (node.const !== undefined) {
    return JSON.stringify(node.const);
  }
  if (node.minimum !== undefined && node.maximum !== undefined) {
    return `a whole number from ${node.minimum} to ${node.maximum}`;
  }
  if (node.type === "array") {
    return `a list${node.items ? ` of: ${allowedText(node.items)}` : ""}`;
  }
  const keys = keysOf(node);
  if (keys.length > 0) {
    return `a mapping with the keys ${keys.join(", ")}`;
  }
  switch (node.type) {
    case "object":
      return "a mapping of names to values";
    case "boolean":
      return "true or false";
    case "string":
      return "text";
    default:
      return node.type ?? "a value";
  }
}

/** A valid value, for checks of other values. No user gets to see it as advice. */
export function exampleOf(node: SchemaNode): unknown {
  const { properties, required = [], examples } = node;
  const [own] = examples ?? [];
  if (own !== undefined || properties === undefined || required.length === 0) {
    return own ?? node.default ?? node.const;
  }
  return Object.fromEntries(
    required.map((key) => {
      const inner = properties[key];
      return [key, inner?.const ?? (inner && exampleOf(inner))];
    }),
  );
}
