import type { CrdNode } from "./schema";

/** The value of `x-kubernetes-list-type`; for the type map, the fields that identify its elements. */
export type ListType = "atomic" | "set" | readonly string[];

const typeOf = (schema: CrdNode): ListType | undefined =>
  schema["x-kubernetes-list-type"] === "map"
    ? (schema["x-kubernetes-list-map-keys"] ?? [])
    : schema["x-kubernetes-list-type"];

/**
 * The lists in a schema that declare how they are compared and merged, by path: `[]` stands for every element of a list,
 * `*` for every key of a map.
 */
export function listPaths(schema: CrdNode, path: string): [path: string, type: ListType][] {
  const { items, properties = {}, additionalProperties: others } = schema;
  const type = typeOf(schema);
  return [
    ...(type === undefined ? [] : [[path, type] as [string, ListType]]),
    ...(items === undefined ? [] : listPaths(items, `${path}[]`)),
    ...(typeof others === "object" ? listPaths(others, `${path}.*`) : []),
    ...Object.entries(properties).flatMap(([name, property]) => listPaths(property, `${path}.${name}`)),
  ];
}
