import { ConfigError } from "../problem";
import type { Problem } from "../problem";
import type { BootstrapFile, KubeadmConfigSpec } from "../capi/types";
import { shippedText } from "../shippedText";
import { assertJinjaSafe, jinjaOpening } from "./jinja";
import { checkBootstrapLimits } from "./limits";

/** One of the script files beside this one. */
export const script = (name: string): string => shippedText(__dirname, name);

/** azure.json of a node, from the secret that CAPZ writes for its pool or template. */
export const azureJsonFile = (path: string, secret: string, key: string): BootstrapFile => ({
  path,
  owner: "root:root",
  permissions: "0644",
  contentFrom: { secret: { name: secret, key } },
});

/** Characters that YAML readers do not take or, as `\r`, turn into others. */
const beyondYaml = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/**
 * What the bootstrap provider's block of YAML keeps as it is: it takes its indentation from the first line with text,
 * which may not begin with a tab either, and ends with one newline, however many the text ends with.
 */
const keptByBlock = (text: string): boolean =>
  !/^\n*[ \t]/.test(text) && /[^\n]\n$/.test(text) && !beyondYaml.test(text);

/**
 * A file that others wrote, so that it arrives byte for byte: in base64 where jinja or YAML would change it. Both
 * cloud-init and cloudbase-init decode it after jinja. Left alone when it is encoded already or comes from a secret.
 */
export function safeFile(file: BootstrapFile): BootstrapFile {
  const { content, encoding } = file;
  if (content === undefined || content === "" || encoding !== undefined) {
    return file;
  }
  return jinjaOpening(content) === undefined && keptByBlock(content)
    ? file
    : { ...file, encoding: "base64", content: Buffer.from(content, "utf8").toString("base64") };
}

/** Files and commands of a user, beside those that every node of the kind has. */
export interface ExtraBootstrap {
  /** After our own files. Contents that jinja or YAML would change are passed on in base64. Default none. */
  readonly extraFiles?: readonly BootstrapFile[] | undefined;
  /** Before `kubeadm join`, in this order. Default none. */
  readonly preKubeadmCommands?: readonly string[] | undefined;
  /** After our own commands that follow `kubeadm join`. Default none. */
  readonly postKubeadmCommands?: readonly string[] | undefined;
}

/** Cluster API refuses empty lists of commands: the key must be left out. */
export const commands = (
  key: "preKubeadmCommands" | "postKubeadmCommands",
  ...lists: readonly (readonly string[] | undefined)[]
): Pick<KubeadmConfigSpec, typeof key> => {
  const all = lists.flatMap((list) => list ?? []);
  return all.length === 0 ? {} : { [key]: all };
};

/**
 * The spec itself, when it holds.
 *
 * @throws ConfigError with what jinja, Cluster API or (`more`) the machine would refuse or misread.
 */
export function checked(spec: KubeadmConfigSpec, more: readonly Problem[] = []): KubeadmConfigSpec {
  assertJinjaSafe(spec);
  const problems = [...checkBootstrapLimits(spec), ...more];
  if (problems.length > 0) {
    throw new ConfigError("bootstrap data", problems);
  }
  return spec;
}
