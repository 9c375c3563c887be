import { componentOf, inTypeScript, inYaml, referencesIn, tokenOf, type Examples } from "./program";
import type { Made } from "./made";
import type { PackageSchema, Property, ResourceSchema } from "./schema";
import { texts } from "./texts";

/** The pages of the components, docs/components/. */

export interface Sources {
  readonly schema: PackageSchema;
  readonly examples: Examples;
  readonly made: Readonly<Record<string, Made>>;
}

const cell = (text: string): string => text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

const nameOf = (ref: string): string => ref.split(":").at(-1) ?? "";

const tokenOfRef = (ref: string): string => ref.replace("#/types/", "");

/** A property's type; types with fields are links to their tables. */
function typeOf({ $ref, type, items, additionalProperties }: Property, schema: PackageSchema): string {
  if ($ref !== undefined) {
    const values = schema.types[tokenOfRef($ref)]?.enum ?? [];
    return values.length > 0
      ? values.map(({ value }) => `\`${value}\``).join(", ")
      : `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()})`;
  }
  if (items !== undefined) {
    return `list of ${typeOf(items, schema)}`;
  }
  return additionalProperties === undefined
    ? (type ?? "")
    : `mapping of ${typeOf(additionalProperties, schema)}`;
}

/** Whether it may be an output of another resource: itself, or its items. */
const mayBeOutput = ({ plain, items, additionalProperties }: Property): boolean =>
  plain !== true || [items, additionalProperties].some((part) => part !== undefined && part.plain !== true);

/** The description, and the default that it ends with. */
function described({ description = "" }: Property): readonly [text: string, preset: string] {
  const [, text = description, preset = ""] = /^(.*?)\s*Default: (.*?)\.?$/s.exec(description) ?? [];
  return [cell(text), cell(preset)];
}

const inputTable = (
  properties: Readonly<Record<string, Property>>,
  required: readonly string[],
  schema: PackageSchema,
): string[] => [
  "| name | type | what it is | default | output? |",
  "|---|---|---|---|---|",
  ...Object.entries(properties).map(([name, property]) => {
    const [text, preset] = described(property);
    return `| \`${name}\` | ${typeOf(property, schema)} | ${text} | ${required.includes(name) ? "**required**" : preset} | ${mayBeOutput(property) ? "yes" : ""} |`;
  }),
];

/** The types with fields that args name, at any depth, in the order in which they are named. */
function typesIn(properties: Readonly<Record<string, Property>>, schema: PackageSchema): string[] {
  const found = new Set<string>();
  const visit = ({ $ref, items, additionalProperties }: Property): void => {
    const token = $ref === undefined ? "" : tokenOfRef($ref);
    const fields = schema.types[token]?.properties;
    if (fields !== undefined && !found.has(token)) {
      found.add(token);
      Object.values(fields).forEach(visit);
    }
    [items, additionalProperties].forEach((part) => {
      if (part !== undefined) {
        visit(part);
      }
    });
  };
  Object.values(properties).forEach(visit);
  return [...found];
}

const outputTable = ({ properties }: ResourceSchema, schema: PackageSchema): string[] =>
  Object.keys(properties).length === 0
    ? ["None."]
    : [
        "| name | type | what it is |",
        "|---|---|---|",
        ...Object.entries(properties).map(
          ([name, property]) =>
            `| \`${name}\` | ${typeOf(property, schema)} | ${cell(property.description ?? "")} |`,
        ),
      ];

function exampleSection(name: string, { examples, schema }: Sources): string[] {
  const example = examples[name]!;
  const used = referencesIn({ ...example.properties, ...example.options });
  const providers = used.filter((each) => tokenOf(examples[each]!) === undefined);
  const others = [
    ...new Set([...used, ...providers.flatMap((each) => referencesIn(examples[each]?.properties))]),
  ].filter((each) => !providers.includes(each) && each !== name);
  const shown = [...providers, name];
  return [
    ...(others.length === 0
      ? []
      : [
          `What the example refers to is on other pages: ${others
            .map((each) => {
              const component = componentOf(examples[each]!);
              return `\`${each}\` is the [${component}](${component}.md)`;
            })
            .join(", ")}.`,
          "",
        ]),
    ...["In TypeScript:", "", "```ts", inTypeScript(examples, schema, shown), "```", ""],
    ...["In Pulumi YAML:", "", "```yaml", inYaml(examples, shown), "```"],
  ];
}

/**
 * The page of a component.
 * @throws Error when it has no texts or no example
 */
export function componentPage(component: string, sources: Sources): string {
  const { schema, examples, made } = sources;
  const token = `capz-windows:index:${component}`;
  const resource = schema.resources[token];
  const written = texts[component];
  const [name] = Object.entries(examples).find(([, example]) => tokenOf(example) === token) ?? [];
  if (resource === undefined || written === undefined || name === undefined) {
    throw new Error(`test/components/pages: ${component} needs texts in texts.ts and an example`);
  }
  const { costs, destroys, notes = [] } = written;
  return [
    "<!-- Generated by `npm run docs` from the docstrings of components/ and from test/components/pages/; do not edit. -->",
    "<!-- prettier-ignore-start -->",
    "",
    `# ${component}`,
    "",
    resource.description ?? "",
    "",
    `Type token: \`${token}\`. All components: [components](../components.md).`,
    "",
    "## Example",
    "",
    ...exampleSection(name, sources),
    "",
    ...notes.flatMap((note) => [note, ""]),
    "## What it makes",
    "",
    "With the args of the example:",
    "",
    "| type token | how many |",
    "|---|---|",
    ...Object.entries(made[token] ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, count]) => `| \`${type}\` | ${count} |`),
    "",
    "## What it costs",
    "",
    costs,
    "",
    "## What a change or its removal may destroy",
    "",
    ...destroys.map((each) => `- ${each}`),
    "",
    "## Args",
    "",
    "What is not marked as an output must be known when the program runs.",
    "",
    ...inputTable(resource.inputProperties, resource.requiredInputs, schema),
    "",
    ...typesIn(resource.inputProperties, schema).flatMap((type) => {
      const { properties = {}, required = [], description } = schema.types[type] ?? {};
      return [
        `### ${nameOf(type)}`,
        "",
        ...(description === undefined ? [] : [description, ""]),
        ...inputTable(properties, required, schema),
        "",
      ];
    }),
    "## Outputs",
    "",
    ...outputTable(resource, schema),
    "",
    "<!-- prettier-ignore-end -->",
    "",
  ].join("\n");
}
