import { z } from "zod";
import { stackSchema } from "./schema/stack";

/** A node of the JSON Schema that zod generates. `allowed`, `examples` and `secret` are metadata of this project. */
export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly propertyNames?: SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allowed?: string;
  readonly examples?: readonly unknown[];
  readonly secret?: boolean;
}

let cached: SchemaNode | undefined;

/** JSON Schema of the stack config without the `capz-windows:` prefix. */
export function configSchema(): SchemaNode {
  cached ??= z.toJSONSchema(stackSchema, { io: "input", unrepresentable: "any" }) as SchemaNode;
  return cached;
}

const alternatives = (node: SchemaNode): readonly SchemaNode[] => node.oneOf ?? node.anyOf ?? [];

/** The keys that are allowed below a node, in any of its alternatives. */
export function keysOf(node: SchemaNode | undefined): string[] {
  if (!node) {
    return [];
  }
  const keys = Object.keys(node.properties ?? {});
  return [...new Set([...keys, ...alternatives(node).flatMap(keysOf)])];
}

function child(node: SchemaNode, key: PropertyKey): SchemaNode | undefined {
  if (typeof key === "number") {
    return node.items;
  }
  const property = node.properties?.[String(key)];
  if (property) {
    return property;
  }
  if (typeof node.additionalProperties === "object") {
    return node.additionalProperties;
  }
  return alternatives(node)
    .map((alternative) => child(alternative, key))
    .find((found) => found !== undefined);
}

/** The node at a path such as ["windowsPools", "win1", "replicas"]; `undefined` if the schema has no such path. */
export function nodeAt(path: readonly PropertyKey[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = configSchema();
  for (const key of path) {
    node = node && child(node, key);
  }
  return node;
}

/** The values that a node accepts, in words. */
export function allowedText(node: SchemaNode | undefined): string {
  if (!node) {
    return "nothing";
  }
  if (node.allowed) {
    return node.allowed;
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
