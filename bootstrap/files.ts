import { join } from "node:path";
import { ConfigError, type Problem } from "capz-windows-kit/problem";
import type { BootstrapFile, KubeadmConfigSpec } from "capz-types";
import { readBundledFile } from "capz-windows-kit/readBundledFile";
import { jinjaOpening, jinjaProblems } from "./jinja";
import { checkBootstrapLimits } from "./limits";

/** Content of a script for nodes: all of them are in scripts/. */
export const scriptContent = (name: string): string => readBundledFile(join(__dirname, "scripts"), name);

/** The file azure.json of a node, from the secret that CAPZ creates for its pool or template. */
export const azureJsonFile = (path: string, secret: string, key: string): BootstrapFile => ({
  path,
  owner: "root:root",
  permissions: "0644",
  contentFrom: { secret: { name: secret, key } },
});

/** Characters that YAML parsers reject or, like `\r`, convert. */
const notInYaml = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/**
 * Whether a text survives in the YAML block scalar that the bootstrap provider writes. The parser takes the indentation
 * from the first line with text, which must therefore not begin with a space or a tab. It keeps exactly one newline at
 * the end.
 */
const survivesBlockScalar = (text: string): boolean =>
  !/^\n*[ \t]/.test(text) && /[^\n]\n$/.test(text) && !notInYaml.test(text);

/**
 * A file whose content reaches the node unchanged: encoded in base64 if Jinja or YAML would alter it. cloud-init and
 * cloudbase-init both decode base64 after they render Jinja. Encoded files and files from a secret stay as they are.
 */
export function safeFile(file: BootstrapFile): BootstrapFile {
  const { content, encoding } = file;
  if (content === undefined || content === "" || encoding !== undefined) {
    return file;
  }
  return jinjaOpening(content) === undefined && survivesBlockScalar(content)
    ? file
    : { ...file, encoding: "base64", content: Buffer.from(content, "utf8").toString("base64") };
}

/** Files and commands that a user adds to those that every node of a kind has. */
export interface ExtraBootstrap {
  /** Added after the built-in files. Contents that Jinja or YAML would alter are encoded in base64. Default: none. */
  readonly extraFiles?: readonly BootstrapFile[] | undefined;
  /** Run in this order, after the built-in commands and before `kubeadm join`. Default: none. */
  readonly preKubeadmCommands?: readonly string[] | undefined;
  /** Run in this order, after `kubeadm join` and the built-in commands that follow it. Default: none. */
  readonly postKubeadmCommands?: readonly string[] | undefined;
}

/** A field with a list of commands. Cluster API rejects empty lists, so the field is omitted if there are none. */
export const commandField = (
  key: "preKubeadmCommands" | "postKubeadmCommands",
  ...lists: readonly (readonly string[] | undefined)[]
): Pick<KubeadmConfigSpec, typeof key> => {
  const all = lists.flatMap((list) => list ?? []);
  return all.length === 0 ? {} : { [key]: all };
};

/**
 * Returns a valid spec unchanged.
 * @param more - further problems, found by checks for one operating system
 * @throws ConfigError with everything that Jinja, Cluster API or the machine would reject or misread
 */
export function validateSpec(spec: KubeadmConfigSpec, more: readonly Problem[] = []): KubeadmConfigSpec {
  const jinja = jinjaProblems(spec);
  const problems = jinja.length > 0 ? jinja : [...checkBootstrapLimits(spec), ...more];
  if (problems.length > 0) {
    throw new ConfigError("bootstrap data", problems);
  }
  return spec;
}
