import { Document, parse, visit } from "yaml";

/** Would YAML 1.1, as libraries for Go and Python read it, take the bare text for a number, a boolean, a date, nothing? */
function needsDoubleQuotes(text: string): boolean {
  try {
    const value: unknown = parse(text, { version: "1.1" });
    return value === null || ["number", "bigint", "boolean"].includes(typeof value) || value instanceof Date;
  } catch {
    return false;
  }
}

/**
 * YAML as the Kubernetes libraries for Go write it: sorted keys, lists not indented, double quotes around what would
 * not be a string, single quotes where YAML's syntax wants them. Equal values give equal bytes. Ends with a newline.
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
