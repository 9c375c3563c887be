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
      // Pulumi takes it for encrypted; the command for a secret replaces it.
      value === unknownSecret ? { secure: `v1:REPLACE:pulumi-config-set--secret-${key}` } : value,
    ]),
  );
  const head = comments.map((line) => `# ${line}\n`).join("");
  // 1.1: Pulumi's parser reads "1.30", "yes" and 0644 as the older YAML does, so that these need quotes.
  const text = stringify({ config: keys }, { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false });
  return `# yaml-language-server: $schema=schema/stack.schema.json\n${head}${text.trimEnd()}\n`;
}
