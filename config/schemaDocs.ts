import type { SchemaNode } from "./jsonSchema";
import { allowedText, configSchema, keysOf } from "./jsonSchema";

/** The JSON Schema for editors and the option table of the docs. Both are generated from the same schema. */

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
        required: required.map((key) => `capz-windows:${key}`),
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
export const optionPaths = (): string[] => [
  ...new Set(options(configSchema(), "").map(({ path }) => path.replace(/ \(.+\)$/, ""))),
];

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

/** The option table of docs/config.md. */
export function optionTable(): string {
  const rows = options(configSchema(), "").map(({ path, node, required }) => {
    const byDefault =
      node.default === undefined ? (required ? "**required**" : "") : `\`${JSON.stringify(node.default)}\``;
    const allowed = keysOf(node).length > 0 && node.allowed === undefined ? "" : allowedText(node);
    return `| \`${cell(path)}\` | ${cell(node.description ?? "")} | ${cell(byDefault)} | ${cell(allowed)} |`;
  });
  return ["| key | what | default | allowed |", "|---|---|---|---|", ...rows].join("\n");
}

/** The content of docs/config.md. */
export const configDocument = (): string =>
  [
    "# Stack config",
    "",
    "Generated from `config/schema/` by `npm run docs`; do not edit. Top-level keys belong under `config:` in",
    "`Pulumi.<stack>.yaml`, with the prefix `capz-windows:`. Pools are mappings by name, so their order does not matter.",
    "Rules that involve several keys (overlapping networks, versions, names) are in `config/rules/`. The report on an",
    "invalid file contains all problems, each with the path, the value, what is allowed and what to write.",
    "",
    optionTable(),
    "",
  ].join("\n");
