import { stringify } from "yaml";
import { unknownSecret } from "../config/parse";

/** The text of a stack file; keys without the prefix. */
export function stackFileText(
  config: Readonly<Record<string, unknown>>,
  comments: readonly string[] = [],
): string {
  const keys = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      `capz-windows:${key}`,
      // A placeholder in the form of an encrypted value, until `pulumi config set --secret` replaces it.
      value === unknownSecret ? { secure: `v1:REPLACE:pulumi-config-set--secret-${key}` } : value,
    ]),
  );
  const head = comments.map((line) => `# ${line}\n`).join("");
  // YAML 1.1, because Pulumi's parser follows it: "1.30", "yes" and "0644" need quotes.
  const text = stringify({ config: keys }, { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false });
  return `# yaml-language-server: $schema=schema/stack.schema.json\n${head}${text.trimEnd()}\n`;
}
