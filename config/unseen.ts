import { isRecord } from "capz-windows-kit/untyped";
import { hidden } from "capz-windows-kit/visible";
import { child, type SchemaNode, typesOf } from "./jsonSchema";
import { secretKeys } from "./schema/stack";
import type { SchemaProblem } from "./schemaProblems";
import { type Path, pathText } from "./steps";

/** Characters of a stack file that nobody sees, in names and other texts of one line. */

/** Keys whose content belongs to others: files, commands, certificates, and what has a form of its own. */
const free: ReadonlySet<PropertyKey> = new Set([
  ...secretKeys,
  ...["content", "preKubeadmCommands", "postKubeadmCommands", "settings"],
  ...["certificateAuthority", "trustedCertificates", "sshPublicKey", "additionalSshPublicKeys", "tags"],
]);

/** A text of people, which may have several lines. */
const isProse = (path: Path): boolean => path[0] === "policyExceptions" && path.at(-1) === "reason";

/** The names of the characters in a text that nobody sees, each once. */
function unseenCharacters(text: string, mayHaveLines: boolean): string[] {
  const lines = mayHaveLines ? [] : (text.match(/[\t\n]/g) ?? []);
  const names = [...lines, ...(text.match(hidden) ?? [])].map((character) =>
    character === "\n"
      ? "a newline"
      : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return [...new Set(names)];
}

function problemOf(text: string, path: Path, fault: "name" | "value"): SchemaProblem[] {
  const names = unseenCharacters(text, isProse(path));
  if (names.length === 0) {
    return [];
  }
  const found = names.slice(0, 3).join(", ");
  const problem = {
    ...{ fault, at: path, path: pathText(path), hides: pathText(path) },
    problem: `the ${fault === "name" ? "name" : "text"} has ${found}, which nobody sees in a report`,
    allowed: "characters that can be seen, on one line",
  };
  return [fault === "name" ? problem : { ...problem, value: text }];
}

/** Whether a text has the form that the schema asks of it: another one is reported as such. */
const hasForm = (text: string, node: SchemaNode | undefined): boolean =>
  new RegExp(node?.pattern ?? "").test(text);

/** Names and texts with such characters that their own form would accept. */
export function unseenProblems(
  value: unknown,
  node: SchemaNode | undefined,
  path: Path = [],
): SchemaProblem[] {
  if (node === undefined || free.has(path.at(-1) ?? "")) {
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => unseenProblems(item, child(node, index), [...path, index]));
  }
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, inner]) => {
      const at = [...path, key];
      const below = child(node, key);
      const isName = below !== undefined && hasForm(key, node.propertyNames);
      const names = isName ? problemOf(key, at, "name") : [];
      return names.length > 0 ? names : unseenProblems(inner, below, at);
    });
  }
  const isText = typeof value === "string" && typesOf(node).includes("string");
  return isText && hasForm(value, node) ? problemOf(value, path, "value") : [];
}
