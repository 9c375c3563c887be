import { at, list, textAt } from "../../tools/untyped";
import { writeLine } from "../../tools/writeLine";

/** Encryption of objects in etcd: which keys there are, and which change of them can be made in one step. */

/** Kinds that can be encrypted. All others have no secrets in them. */
export const encryptedResources = ["secrets", "configmaps"] as const;

/** The kinds that are encrypted where the stack file names none. */
export const defaultResources: readonly (typeof encryptedResources)[number][] = ["secrets"];

/** The name of "no key" in a list: what is written stays in clear text, as the API server's provider of that name does. */
export const clearText = "identity";

export interface Encryption {
  /** Kinds of objects, in the plural. */
  readonly resources: readonly string[];
  /** Names of keys: the first one writes, all of them read. */
  readonly keys: readonly string[];
}

/** The file with the keys on each machine of the control plane. */
export const encryptionPath = "/etc/kubernetes/encryption.yaml";

/** The keys of a list that exist as bytes. */
export const keysOf = ({ keys }: Pick<Encryption, "keys">): string[] =>
  keys.filter((key) => key !== clearText);

/**
 * The name of the file in its Secret. It says what is encrypted by which keys: so a KubeadmControlPlane tells its stage
 * without any key, and a change of the list changes it.
 */
export const encryptionFileName = ({ resources, keys }: Encryption): string =>
  `${resources.join("_")}.${keys.join("_")}.yaml`;

/** "secrets: new, old", as reports have it; "nothing" where nothing is encrypted. */
export const encryptionText = (encryption: Encryption | undefined): string =>
  encryption === undefined ? "nothing" : `${encryption.resources.join(", ")}: ${encryption.keys.join(", ")}`;

/** What such a text says. */
export function encryptionIn(text: string): Encryption | undefined {
  const [resources = "", keys] = text.split(": ");
  return keys === undefined ? undefined : { resources: resources.split(", "), keys: keys.split(", ") };
}

/** What the name of a file says; the inverse of encryptionFileName. */
function encryptionOfFile(name: string): Encryption | undefined {
  const [resources = "", keys] = name.split(".");
  return keys === undefined ? undefined : { resources: resources.split("_"), keys: keys.split("_") };
}

/** What a KubeadmControlPlane says. */
export function encryptionOf(controlPlane: unknown): Encryption | undefined {
  const files = list(at(controlPlane, "spec", "kubeadmConfigSpec", "files"));
  const file = files.find(({ path }) => path === encryptionPath);
  return file === undefined ? undefined : encryptionOfFile(textAt(file, "contentFrom", "secret", "key"));
}

/** The keys by which one kind is written and read. Without encryption it is in clear text, which is always readable. */
const keysFor = (encryption: Encryption | undefined, resource: string): readonly string[] =>
  encryption?.resources.includes(resource) === true ? encryption.keys : [clearText];

const canRead = (keys: readonly string[], key: string): boolean => key === clearText || keys.includes(key);

const without = (keys: readonly string[], ...gone: readonly string[]): string[] =>
  keys.filter((key) => !gone.includes(key));

/** The line of a stack file. */
export const encryptionLine = ({ resources, keys }: Encryption): string =>
  writeLine("encryption", {
    ...(resources.join() === defaultResources.join() ? {} : { resources: [...resources] }),
    keys: [...keys],
  });

/**
 * Why a change cannot be made in one step; `undefined` for one that can. While the control plane rolls, API servers with
 * the former and with the new list run side by side: each must read what the other one writes.
 */
export function refusedStep(
  before: Encryption | undefined,
  after: Encryption | undefined,
): string | undefined {
  const all = [...new Set([...(before?.resources ?? []), ...(after?.resources ?? [])])];
  for (const resource of all) {
    const [old, next] = [keysFor(before, resource), keysFor(after, resource)];
    const [[writes = clearText], [willWrite = clearText]] = [old, next];
    if (!canRead(next, writes)) {
      // Another key writes first, and the former one goes when everything is rewritten.
      const keys = canRead(old, willWrite)
        ? [willWrite, ...without(old, willWrite)]
        : [...old, ...without(next, ...old)];
      return `${resource} in etcd are encrypted with the key ${writes}, and no API server would have it any more. First set ${encryptionLine({ resources: before?.resources ?? [], keys })}, and go on as docs/operations.md says ("Encryption at rest")`;
    }
    if (!canRead(old, willWrite)) {
      const keys = [writes, ...without(next, writes)];
      return `while the control plane rolls, API servers that do not have the key ${willWrite} yet could not read ${resource} that others write with it. First set ${encryptionLine({ resources: after?.resources ?? [], keys })}, and this when every machine of the control plane is replaced`;
    }
  }
  return undefined;
}
