import { Document, type ToStringOptions, visit } from "yaml";
import { needsQuotes } from "./goScalars";
import { memoize } from "./memoize";
import { hasHidden, hidden } from "./visible";

/** YAML has no pairs of surrogates, other than JSON. */
const escaped = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`;
};

/** A document as text, in which hidden characters are escapes. @param isQuoted - texts that get quotes for another reason */
export function visibleYaml(
  document: Document,
  options: ToStringOptions,
  isQuoted: (text: string) => boolean = () => false,
): string {
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && (hasHidden(scalar.value) || isQuoted(scalar.value))) {
        scalar.type = "QUOTE_DOUBLE";
      }
    },
  });
  return document
    .toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity, ...options })
    .replace(hidden, escaped);
}

/**
 * A text of several lines keeps its line breaks as \n, inside mappings too, because secrets are searched for in this
 * form.
 */
const inOneLine = (value: unknown): string => {
  const document = new Document(value, { version: "1.1", aliasDuplicateObjects: false });
  return visibleYaml(
    document,
    {
      collectionStyle: "flow",
      flowCollectionPadding: false,
      // Not with the version as a directive before it.
      directives: false,
    },
    (text) => /[\r\n]/.test(text) || needsQuotes(text),
  ).trimEnd();
};

/** Rules write the same few texts for every value that they check. */
const textInOneLine = memoize((text: string): string => inOneLine(text));

/**
 * A value as one line of YAML. What YAML 1.1 or 1.2 would read as something else gets quotes, because Pulumi and the
 * plan use different parsers: "1.30", "2022", "0644", "yes".
 */
export function yamlValue(value: unknown): string {
  return typeof value === "string" ? textInOneLine(value) : inOneLine(value);
}

/** A key in YAML, with quotes if it has characters that are special there. */
export const keyName = (key: string): string => (/^[A-Za-z_][\w.<>/-]*$/.test(key) ? key : yamlValue(key));

/**
 * A line for the stack file, as the `write` of a problem. A note follows as a comment, so that the line can be pasted.
 * Where only the user knows a value, it is described in angle brackets, as `<your gallery>`.
 */
export const writeLine = (key: string, value: unknown, note?: string): string =>
  `${key}: ${yamlValue(value)}${note === undefined ? "" : ` # ${note}`}`;

/** A placeholder for text that only the user knows: a line that contains it has to be completed. */
export const placeholder = (what: string): string => `<${what}>`;
