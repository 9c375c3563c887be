import { at, list, textAt } from "capz-windows-kit/untyped";
import { writeLine } from "capz-windows-kit/writeLine";
import { isSameKey, keyInManifest, pluginPath } from "./keyVault";

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
  /** ARM IDs of versions of keys in Key Vault, by name: the other names are keys of the program. */
  readonly keyVaultKeys?: Readonly<Record<string, string>> | undefined;
}

/** The file with the keys on each machine of the control plane. */
export const encryptionPath = "/etc/kubernetes/encryption.yaml";

/** The keys of a list, without what is no key. */
export const keysOf = ({ keys }: Pick<Encryption, "keys">): string[] =>
  keys.filter((key) => key !== clearText);

/**
 * The name of the file in its Secret. It says what is encrypted by which keys: so a KubeadmControlPlane tells its stage
 * without any key, and a change of the list changes it.
 */
export const encryptionFileName = ({ resources, keys }: Encryption): string =>
  `${resources.join("_")}.${keys.join("_")}.yaml`;

/** Those of Key Vault that a list has; no field where it has none. */
const ofList = (
  keys: readonly string[],
  ...lists: readonly Encryption["keyVaultKeys"][]
): Pick<Encryption, "keys" | "keyVaultKeys"> => {
  const all = lists.flatMap((list) => Object.entries(list ?? {})).filter(([name]) => keys.includes(name));
  return { keys, ...(all.length === 0 ? {} : { keyVaultKeys: Object.fromEntries(all) }) };
};

/** "secrets: new (ID in Key Vault), old", as reports have it; "nothing" where nothing is encrypted. */
export function encryptionText(encryption: Encryption | undefined): string {
  const { resources, keys, keyVaultKeys = {} } = encryption ?? { resources: [], keys: [] };
  const names = keys.map((key) => (keyVaultKeys[key] === undefined ? key : `${key} (${keyVaultKeys[key]})`));
  return encryption === undefined ? "nothing" : `${resources.join(", ")}: ${names.join(", ")}`;
}

/** What such a text says. */
export function encryptionIn(text: string): Encryption | undefined {
  const [resources = "", names] = text.split(": ");
  const parts = names?.split(", ").map((name) => name.split(/ \(|\)/));
  const ids = parts?.flatMap(([name = "", id = ""]) => (id === "" ? [] : [[name, id] as const]));
  return parts === undefined
    ? undefined
    : {
        resources: resources.split(", "),
        ...ofList(
          parts.map(([name = ""]) => name),
          Object.fromEntries(ids ?? []),
        ),
      };
}

/** What the name of a file says; the inverse of encryptionFileName. */
function encryptionOfFile(name: string): Encryption | undefined {
  const [resources = "", keys] = name.split(".");
  return keys === undefined ? undefined : { resources: resources.split("_"), keys: keys.split("_") };
}

/** What a KubeadmControlPlane says. */
export function encryptionOf(controlPlane: unknown): Encryption | undefined {
  const files = list(at(controlPlane, "spec", "kubeadmConfigSpec", "files"));
  const fileAt = (path: string) => files.find((file) => file.path === path);
  const file = fileAt(encryptionPath);
  const encryption = file && encryptionOfFile(textAt(file, "contentFrom", "secret", "key"));
  if (encryption === undefined) {
    return undefined;
  }
  const ids = encryption.keys.flatMap((key) => {
    const id = keyInManifest(textAt(fileAt(pluginPath(key)), "content"));
    return id === undefined ? [] : [[key, id] as const];
  });
  return { ...encryption, ...ofList(encryption.keys, Object.fromEntries(ids)) };
}

/** The keys by which one kind is written and read. Without encryption it is in clear text, which is always readable. */
const keysFor = (encryption: Encryption | undefined, resource: string): readonly string[] =>
  encryption?.resources.includes(resource) === true ? encryption.keys : [clearText];

/** Whether a name stands for the same key in both. */
function isOne(before: Encryption, after: Encryption, name: string): boolean {
  const [a, b] = [before, after].map(({ keyVaultKeys }) => keyVaultKeys?.[name]);
  return a === undefined || b === undefined ? a === b : isSameKey(a, b);
}

const canRead = (keys: readonly string[], key: string): boolean => key === clearText || keys.includes(key);

const without = (keys: readonly string[], ...gone: readonly string[]): string[] =>
  keys.filter((key) => !gone.includes(key));

/** The line of a stack file. */
export const encryptionLine = ({ resources, keys, keyVaultKeys }: Encryption): string =>
  writeLine("encryption", {
    ...(resources.join() === defaultResources.join() ? {} : { resources: [...resources] }),
    ...ofList([...keys], keyVaultKeys),
  });

/**
 * Why a change cannot be made in one step; `undefined` for one that can. While the control plane rolls, API servers with
 * the former and with the new list run side by side: each must read what the other one writes.
 */
export function refusedStep(
  before: Encryption | undefined,
  after: Encryption | undefined,
): string | undefined {
  const line = (resources: readonly string[] = [], keys: readonly string[]): string =>
    encryptionLine({ resources, ...ofList(keys, before?.keyVaultKeys, after?.keyVaultKeys) });
  const other = before?.keys.find((key) => after?.keys.includes(key) === true && !isOne(before, after, key));
  if (other !== undefined) {
    return `the name ${other} would stand for another key, and what is encrypted with the former one could not be read. Keep it, and give the new key a name that the list does not have`;
  }
  const all = [...new Set([...(before?.resources ?? []), ...(after?.resources ?? [])])];
  for (const resource of all) {
    const [old, next] = [keysFor(before, resource), keysFor(after, resource)];
    const [[writes = clearText], [willWrite = clearText]] = [old, next];
    if (!canRead(next, writes)) {
      // Another key writes first, and the former one goes when everything is rewritten.
      const keys = canRead(old, willWrite)
        ? [willWrite, ...without(old, willWrite)]
        : [...old, ...without(next, ...old)];
      return `${resource} in etcd are encrypted with the key ${writes}, and no API server would have it any more. First deploy ${line(before?.resources, keys)}, and go on as docs/operations.md says ("Encryption at rest")`;
    }
    if (!canRead(old, willWrite)) {
      const keys = [writes, ...without(next, writes)];
      return `while the control plane rolls, API servers that do not have the key ${willWrite} yet could not read ${resource} that others write with it. First deploy ${line(after?.resources, keys)}. When every machine of the control plane has been replaced, deploy this change`;
    }
  }
  return undefined;
}
