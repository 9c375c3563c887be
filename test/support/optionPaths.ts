import { configSchema, keysOf, type SchemaNode } from "../../config/jsonSchema";
import { memoize } from "capz-windows-kit/memoize";

function pathsBelow(node: SchemaNode, prefix: string): string[] {
  const alternatives = node.oneOf ?? node.anyOf;
  if (alternatives && keysOf(node).length > 0) {
    return alternatives.flatMap((alternative) => pathsBelow(alternative, prefix));
  }
  const named = node.additionalProperties;
  const inner = { ...node.properties };
  if (typeof named === "object" && keysOf(named).length > 0) {
    inner["<name>"] = named;
  }
  return Object.entries(inner).flatMap(([key, one]) => {
    const path = prefix === "" ? key : `${prefix}.${key}`;
    return [path, ...pathsBelow(one, path)];
  });
}

/** The path of every option, with `<name>` for the name of a pool. */
export const optionPaths = memoize((): readonly string[] => [...new Set(pathsBelow(configSchema(), ""))]);
