import { Document, isScalar, visit } from "yaml";
import { yamlDocument } from "capz-windows-kit/boundedYaml";
import { memoize } from "capz-windows-kit/memoize";

/** A text that begins like a word is read as a string or a mapping, unless it begins with a boolean or null. */
const beginsWithWord = /^(?!(?:y|n|yes|no|true|false|on|off|null)\b)[a-z/]/i;

/** Whether YAML 1.1, as Go and Python libraries read it, parses the plain text as a number, boolean, date or null. */
export const needsDoubleQuotes = (text: string): boolean =>
  !beginsWithWord.test(text) && readsOtherwise(text);

const readsOtherwise = memoize((text: string): boolean => {
  const { contents, errors } = yamlDocument(text, { version: "1.1" });
  if (errors.length > 0 || (contents !== null && !isScalar(contents))) {
    return false;
  }
  const value: unknown = contents?.value ?? null;
  return value === null || ["number", "bigint", "boolean"].includes(typeof value) || value instanceof Date;
});

/**
 * YAML as the Kubernetes libraries for Go write it: sorted keys, lists without indentation, double quotes around texts
 * that would not parse as strings, and single quotes where the YAML syntax requires quotes. Equal values give equal
 * bytes. The text ends with a newline.
 */
export function goYaml(value: unknown): string {
  const document = new Document(value, { sortMapEntries: true, aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === "string" && needsDoubleQuotes(node.value)) {
        node.type = "QUOTE_DOUBLE";
      }
    },
  });
  return document.toString({ indentSeq: false, lineWidth: 0, singleQuote: true });
}
