import type { Component, ComponentsFile, Properties } from "../../../commands/explain/components";
import { componentOf, inOrder, inTypeScript, inYaml, referencesIn, tokenOf, type Examples } from "./program";
import type { Made } from "./made";
import type { PackageSchema, Property } from "./schema";
import { texts } from "./texts";

/** What is published of the components: schema/components.json, and the program in docs/components.md. */

export interface Sources {
  readonly schema: PackageSchema;
  readonly examples: Examples;
  readonly made: Readonly<Record<string, Made>>;
}

const nameOf = (ref: string): string => ref.split(":").at(-1) ?? "";

const tokenOfRef = (ref: string): string => ref.replace("#/types/", "");

const inOneLine = (text = ""): string => text.replace(/\s*\n\s*/g, " ");

/** A property's type: the values of a choice, or the name of a type with fields. */
function typeOf({ $ref, type, items, additionalProperties }: Property, schema: PackageSchema): string {
  if ($ref !== undefined) {
    const values = schema.types[tokenOfRef($ref)]?.enum ?? [];
    return values.length > 0 ? values.map(({ value }) => value).join(" | ") : nameOf($ref);
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
function described({ description }: Property): {
  readonly description: string;
  readonly default?: string;
} {
  const text = inOneLine(description);
  const [, before, preset] = /^(.*?)\s*Default: (.*?)\.?$/.exec(text) ?? [];
  return before === undefined || preset === undefined
    ? { description: text }
    : { description: before, default: preset };
}

const inputsOf = (
  properties: Readonly<Record<string, Property>>,
  required: readonly string[],
  schema: PackageSchema,
): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      {
        type: typeOf(property, schema),
        ...described(property),
        required: required.includes(name),
        output: mayBeOutput(property),
      },
    ]),
  );

const outputsOf = (properties: Readonly<Record<string, Property>>, schema: PackageSchema): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      {
        type: typeOf(property, schema),
        description: inOneLine(property.description),
        ...{ required: false, output: false },
      },
    ]),
  );

/** The types with fields that properties name, at any depth. */
function typesIn(properties: readonly Property[], schema: PackageSchema): Set<string> {
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
  properties.forEach(visit);
  return found;
}

/** The component of an example with its providers. */
function programOf(name: string, { examples, schema }: Sources): Component["program"] {
  const example = examples[name]!;
  const used = referencesIn({ ...example.properties, ...example.options });
  const providers = used.filter((each) => tokenOf(examples[each]!) === undefined);
  const others = [
    ...new Set([...used, ...providers.flatMap((each) => referencesIn(examples[each]?.properties))]),
  ].filter((each) => !providers.includes(each) && each !== name);
  const shown = [...providers, name];
  return {
    typescript: inTypeScript(examples, schema, shown),
    yaml: inYaml(examples, shown),
    refers: Object.fromEntries(others.map((each) => [each, componentOf(examples[each]!)])),
  };
}

/**
 * What is known of a component.
 * @throws Error when it has no texts or no example
 */
export function componentFacts(component: string, sources: Sources): Component {
  const { schema, examples, made } = sources;
  const token = `capz-windows:index:${component}`;
  const resource = schema.resources[token];
  const written = texts[component];
  const [name] = Object.entries(examples).find(([, example]) => tokenOf(example) === token) ?? [];
  if (resource === undefined || written === undefined || name === undefined) {
    throw new Error(`test/components/pages: ${component} needs texts in texts.ts and an example`);
  }
  return {
    token,
    description: inOneLine(resource.description),
    program: programOf(name, sources),
    notes: [...(written.notes ?? [])],
    makes: Object.fromEntries(Object.entries(made[token] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))),
    costs: written.costs,
    destroys: [...written.destroys],
    args: inputsOf(resource.inputProperties, resource.requiredInputs, schema),
    outputs: outputsOf(resource.properties, schema),
  };
}

/** The types with fields that args and outputs name: most of them are of several components. */
export function typeFacts({ schema }: Sources): ComponentsFile["types"] {
  const properties = Object.values(schema.resources).flatMap((resource) => [
    ...Object.values(resource.inputProperties),
    ...Object.values(resource.properties),
  ]);
  const tokens = [...typesIn(properties, schema)].sort();
  return Object.fromEntries(
    tokens.map((token) => {
      const { properties: fields = {}, required = [], description } = schema.types[token] ?? {};
      return [
        nameOf(token),
        { description: inOneLine(description), fields: inputsOf(fields, required, schema) },
      ];
    }),
  );
}

/** Between these lines, docs/components.md has the program. */
const generated =
  /(?<=^<!-- Generated by `npm run docs`.*-->\n).*?(?=^<!-- End of the generated part. -->$)/ms;

/** docs/components.md with one program that has all components. */
export function withProgram(document: string, { examples, schema }: Sources): string {
  const program = inTypeScript(examples, schema, inOrder(examples));
  return document.replace(
    generated,
    () =>
      `\n<!-- prettier-ignore-start -->\n\n\`\`\`ts\n${program}\n\`\`\`\n\n<!-- prettier-ignore-end -->\n\n`,
  );
}
