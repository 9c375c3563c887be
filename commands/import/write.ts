import { Document } from "yaml";
import { unknownSecret } from "../../config/parse";
import { isRecord, list, type Plain } from "capz-windows-kit/untyped";
import { oneLine } from "capz-windows-kit/visible";
import { visibleYaml } from "capz-windows-kit/writeLine";

// YAML 1.1, because Pulumi's and Cluster API's parsers follow it: "1.30", "yes" and "0644" need quotes.
const yaml = (value: unknown): string =>
  visibleYaml(new Document(value, { version: "1.1", aliasDuplicateObjects: false }), { directives: false });

/** Bytes from which a manifest has a file: the whole config has to fit into 128 KiB (config/configSize.ts). */
const large = 8_000;

/** A config whose large manifests are in files; their paths are relative to the folder of Pulumi.yaml. */
export function withManifestFiles(config: Plain): {
  readonly config: Plain;
  readonly files: Readonly<Record<string, string>>;
} {
  const files: Record<string, string> = {};
  const entries = Object.entries(isRecord(config.extraManifests) ? config.extraManifests : {});
  const extraManifests = entries.map(([name, manifest]) => {
    const { objects, ...others } = isRecord(manifest) ? manifest : {};
    const text = list(objects).map(yaml).join("---\n");
    if (Buffer.byteLength(text) < large) {
      return [name, manifest];
    }
    const file = `manifests/${name}.yaml`;
    files[file] = text;
    return [name, { file, ...others }];
  });
  return entries.length === 0
    ? { config, files }
    : { config: { ...config, extraManifests: Object.fromEntries(extraManifests) as Plain }, files };
}

/** The text of a stack file; keys without the prefix. */
export function stackFileText(config: Plain, comments: readonly string[] = []): string {
  const keys = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      `capz-windows:${key}`,
      // A placeholder in the form of an encrypted value, until `pulumi config set --secret` replaces it.
      value === unknownSecret ? { secure: `v1:REPLACE:pulumi-config-set--secret-${key}` } : value,
    ]),
  );
  const head = comments.map((line) => `# ${oneLine(line)}\n`).join("");
  const text = yaml({ config: keys });
  return `# yaml-language-server: $schema=schema/stack.schema.json\n${head}${text}`;
}
