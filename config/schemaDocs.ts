import { neededByWorkload as workloadKeys } from "./managementStack";
import { configSchema } from "./jsonSchema";

/** The JSON Schema for editors. */

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
