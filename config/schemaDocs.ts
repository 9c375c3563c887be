import { memoize } from "../tools/memoize";
import { neededByWorkload as workloadKeys } from "./managementStack";
import { configSchema, keysOf, type SchemaNode } from "./jsonSchema";

/** The JSON Schema for editors, and the paths of all options. */

const prefixedKeys = (keys: readonly string[]): string[] => keys.map((key) => `capz-windows:${key}`);

/** JSON Schema of a whole stack file. Keys of other namespaces (azure-native:…, pulumi:…) are allowed. */
export function stackFileSchema(): unknown {
  const { properties = {}, required = [] } = configSchema();
  const prefixed = Object.fromEntries(
    Object.entries(properties).map(([key, node]) => [
      `capz-windows:${key}`,
      node.secret === true
        ? {
            description: node.description,
            type: "object",
            required: ["secure"],
            properties: { secure: { type: "string" } },
          }
        : node,
    ]),
  );
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Stack file of capz-windows",
    type: "object",
    properties: {
      config: {
        type: "object",
        properties: prefixed,
        patternProperties: { "^(?!capz-windows:)": {} },
        additionalProperties: false,
        required: prefixedKeys(required.filter((key) => !workloadKeys.includes(key))),
        // A stack that makes only a management cluster has no workload cluster to describe.
        if: {
          required: ["capz-windows:management"],
          properties: {
            "capz-windows:management": { required: ["only"], properties: { only: { const: true } } },
          },
        },
        else: { required: prefixedKeys(required.filter((key) => workloadKeys.includes(key))) },
      },
    },
  };
}

interface Option {
  readonly path: string;
  readonly node: SchemaNode;
  readonly required: boolean;
}

function options(node: SchemaNode, prefix: string): Option[] {
  const alternatives = node.oneOf ?? node.anyOf;
  if (alternatives && keysOf(node).length > 0) {
    return alternatives.flatMap((alternative) => {
      const kind = String(alternative.properties?.kind?.const);
      return options(alternative, prefix).map((option) => ({ ...option, path: `${option.path} (${kind})` }));
    });
  }
  const fixed = Object.entries(node.properties ?? {}).map(([key, inner]): [string, SchemaNode, boolean] => [
    prefix === "" ? key : `${prefix}.${key}`,
    inner,
    node.required?.includes(key) ?? false,
  ]);
  const named: [string, SchemaNode, boolean][] =
    typeof node.additionalProperties === "object" && keysOf(node.additionalProperties).length > 0
      ? [[`${prefix}.<name>`, node.additionalProperties, false]]
      : [];
  return [...fixed, ...named].flatMap(([path, inner, required]) => [
    { path, node: inner, required },
    ...options(inner, path),
  ]);
}

/** The path of every option, with `<name>` for the name of a pool. */
export const optionPaths = memoize((): readonly string[] => [
  ...new Set(options(configSchema(), "").map(({ path }) => path.replace(/ \(.+\)$/, ""))),
]);
