import type { CrdNode } from "./schema";

const indentation = "  ";

/** The name of the type with a text; `undefined` if no type with this text has a name. */
export type NamedTypes = (text: string) => string | undefined;

const noNames: NamedTypes = () => undefined;

const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);

const members = (schema: CrdNode, names: NamedTypes): string =>
  Object.entries(schema.properties ?? {})
    .map(([name, property]) => {
      const mark = schema.required?.includes(name) === true ? "" : "?";
      return `readonly ${propertyName(name)}${mark}: ${typeText(property, names)};\n`;
    })
    .join("");

const indented = (lines: string): string => lines.replaceAll(/^(?=.)/gm, indentation);

function objectText(schema: CrdNode, names: NamedTypes): string {
  const { properties, additionalProperties: others } = schema;
  if (properties !== undefined && Object.keys(properties).length > 0) {
    return `{\n${indented(members(schema, names))}}`;
  }
  if (typeof others === "object") {
    return `Readonly<Record<string, ${typeText(others, names)}>>`;
  }
  const isOpen =
    others === true ||
    schema["x-kubernetes-preserve-unknown-fields"] === true ||
    schema["x-kubernetes-embedded-resource"] === true;
  return `Readonly<Record<string, ${isOpen ? "unknown" : "never"}>>`;
}

function plainText(schema: CrdNode, names: NamedTypes): string {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return "number | string";
  }
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  }
  switch (schema.type) {
    case "string":
    case "boolean":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return arrayText(typeText(schema.items ?? {}, names));
    case "object":
      return objectText(schema, names);
    default:
      return "unknown";
  }
}

const arrayText = (item: string): string =>
  `readonly ${/^[\w.]+$|^\{[^]*\}$|^Readonly<[^]*>$/.test(item) ? item : `(${item})`}[]`;

/**
 * The TypeScript type of a structural schema: names and types only, read-only throughout. A field that the schema
 * requires is required here, too, even if the API server has a default for it, because the default may be wrong, such
 * as `osType: Linux` for a Windows pool.
 * @param names types to refer to instead of writing them out again
 */
export function typeText(schema: CrdNode, names: NamedTypes = noNames): string {
  const text = plainText(schema, names);
  const known = names(text) ?? text;
  return schema.nullable === true && known !== "unknown" ? `${known} | null` : known;
}
