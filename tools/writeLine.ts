import { Document, visit } from "yaml";
import { needsQuotes } from "./goScalars";
import { memoize } from "./memoize";

/**
 * A text of several lines keeps its line breaks as \n, inside mappings too, because secrets are searched for in this
 * form.
 */
const inOneLine = (value: unknown): string => {
  const document = new Document(value, { version: "1.1", aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && (/[\r\n]/.test(scalar.value) || needsQuotes(scalar.value))) {
        scalar.type = "QUOTE_DOUBLE";
      }
    },
  });
  return document
    .toString({
      collectionStyle: "flow",
      flowCollectionPadding: false,
      lineWidth: 0,
      doubleQuotedMinMultiLineLength: Infinity,
      // Not with the version as a directive before it.
      directives: false,
    })
    .trimEnd();
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
