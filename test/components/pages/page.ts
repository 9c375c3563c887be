import { componentOf, inTypeScript, inYaml, referencesIn, tokenOf, type Examples } from "./program";
import type { Made } from "./made";
import type { PackageSchema, Property, ResourceSchema } from "./schema";
import { texts, type Texts } from "./texts";

/** The pages of the components, docs/components/. */

export interface Sources {
  readonly schema: PackageSchema;
  readonly examples: Examples;
  readonly made: Readonly<Record<string, Made>>;
}

const cell = (text: string): string => text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");

const nameOf = (ref: string): string => ref.split(":").at(-1) ?? "";

const tokenOfRef = (ref: string): string => ref.replace("#/types/", "");

/** A property's type; types with fields are links to their tables, which are all on one page. */
function typeOf({ $ref, type, items, additionalProperties }: Property, schema: PackageSchema): string {
  if ($ref !== undefined) {
    const values = schema.types[tokenOfRef($ref)]?.enum ?? [];
    return values.length > 0
      ? values.map(({ value }) => `\`${value}\``).join(", ")
      : `[${nameOf($ref)}](types.md#${nameOf($ref).toLowerCase()})`;
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

/** The column `output?` is there only where one of them may be an output. */
function inputTable(
  properties: Readonly<Record<string, Property>>,
  required: readonly string[],
  schema: PackageSchema,
): string[] {
  const takesOutputs = Object.values(properties).some(mayBeOutput);
  const row = (cells: readonly string[]): string =>
    `| ${(takesOutputs ? cells : cells.slice(0, -1)).join(" | ")} |`;
  return [
    row(["name", "type", "what it is", "default", "output?"]),
    takesOutputs ? "|---|---|---|---|---|" : "|---|---|---|---|",
    ...Object.entries(properties).map(([name, property]) => {
      const [text, preset] = described(property);
      return row([
        `\`${name}\``,
        typeOf(property, schema),
        text,
        required.includes(name) ? "**required**" : preset,
        mayBeOutput(property) ? "yes" : "",
      ]);
    }),
  ];
}

/** The types with fields that properties name, at any depth, in the order in which they are named. */
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

/** As many args alike are said once, on the page of the component that comes first. */
const fewest = 10;

/** The args with the same row on the page of another component. */
const sameArgs = (a: ResourceSchema, b: ResourceSchema): string[] =>
  Object.keys(a.inputProperties).filter(
    (name) =>
      JSON.stringify(a.inputProperties[name]) === JSON.stringify(b.inputProperties[name]) &&
      a.requiredInputs.includes(name) === b.requiredInputs.includes(name),
  );

/** The table of args. Those that an earlier component has, too, are only named. */
function argsSection(component: string, resource: ResourceSchema, schema: PackageSchema): string[] {
  const earlier = Object.keys(schema.resources)
    .map(nameOf)
    .filter((name) => name < component)
    .map((name) => [name, sameArgs(resource, schema.resources[`capz-windows:index:${name}`]!)] as const)
    .filter(([, same]) => same.length >= fewest)
    .sort(([, a], [, b]) => b.length - a.length);
  const [[other, same] = ["", []]] = earlier;
  const own = Object.entries(resource.inputProperties).filter(([name]) => !same.includes(name));
  return [
    ...inputTable(Object.fromEntries(own), resource.requiredInputs, schema),
    ...(same.length === 0
      ? []
      : ["", `As in [${other}](${other}.md#args): ${same.map((name) => `\`${name}\``).join(", ")}.`]),
  ];
}

/** What earlier pages do not say yet, and links to the sections of those that say the rest. */
function saidOnce(
  component: string,
  section: string,
  itemsOf: (written: Texts) => readonly string[],
): string[] {
  const places = new Map<string, string>();
  for (const [name, written] of Object.entries(texts).filter(([other]) => other < component)) {
    for (const item of itemsOf(written)) {
      places.set(item, places.get(item) ?? name);
    }
  }
  const items = itemsOf(texts[component]!);
  const others = new Set(items.flatMap((item) => places.get(item) ?? []));
  return [
    ...[...others].map((name) => `The same as for [${name}](${name}.md#${section}).`),
    ...items.filter((item) => !places.has(item)),
  ];
}

const opening = [
  "<!-- Generated by `npm run docs` from the docstrings of components/ and from test/components/pages/; do not edit. -->",
  "<!-- prettier-ignore-start -->",
  "",
];

/** The page of the types that args and outputs name: most of them are of several components. */
export function typesPage({ schema }: Sources): string {
  const properties = Object.values(schema.resources).flatMap((resource) =>
    Object.entries({ ...resource.properties, ...resource.inputProperties }),
  );
  const named = new Set(properties.flatMap(([name, property]) => typesIn({ [name]: property }, schema)));
  return [
    ...opening,
    "# Types",
    "",
    "Those that [components](../components.md) take and give.",
    "",
    ...[...named].sort().flatMap((type) => {
      const { properties: fields = {}, required = [], description } = schema.types[type] ?? {};
      return [
        `## ${nameOf(type)}`,
        "",
        ...(description === undefined ? [] : [description, ""]),
        ...inputTable(fields, required, schema),
        "",
      ];
    }),
    "<!-- prettier-ignore-end -->",
    "",
  ].join("\n");
}

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
  const { notes = [] } = written;
  return [
    ...opening,
    `# ${component}`,
    "",
    resource.description ?? "",
    "",
    `Type token: \`${token}\`. [All components](../components.md)`,
    "",
    "## Example",
    "",
    ...exampleSection(name, sources),
    "",
    ...notes.flatMap((note) => [note, ""]),
    "## What it makes",
    "",
    "| type token | how many |",
    "|---|---|",
    ...Object.entries(made[token] ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, count]) => `| \`${type}\` | ${count} |`),
    "",
    "## What it costs",
    "",
    ...saidOnce(component, "what-it-costs", ({ costs }) => [costs]),
    "",
    "## What a change or its removal may destroy",
    "",
    ...saidOnce(component, "what-a-change-or-its-removal-may-destroy", ({ destroys }) => destroys).map(
      (each) => `- ${each}`,
    ),
    "",
    "## Args",
    "",
    ...argsSection(component, resource, schema),
    "",
    "## Outputs",
    "",
    ...outputTable(resource, schema),
    "",
    "<!-- prettier-ignore-end -->",
    "",
  ].join("\n");
}
