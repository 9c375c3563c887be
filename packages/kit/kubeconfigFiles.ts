import { resolve } from "node:path";
import { yamlValue } from "./boundedYaml";
import { messageOf } from "./messageOf";
import { mostBytes, readBounded } from "./readBounded";
import { at, isRecord } from "./untyped";

/**
 * Loads a user's kubeconfig into @kubernetes/client-node. The package opens every file that a kubeconfig names, however large it
 * is, so these are read here, with a limit. Paths are relative to the kubeconfig, as for kubectl.
 */

interface Cluster {
  readonly name: string;
  readonly caFile?: string | null;
}

interface User {
  readonly name: string;
  readonly certFile?: string | null;
  readonly keyFile?: string | null;
  readonly authProvider?: unknown;
}

/** What is used of the package's KubeConfig. */
interface Config {
  clusters: Cluster[];
  users: User[];
  loadFromString(text: string): void;
  makePathsAbsolute(folder: string): void;
  getCurrentCluster(): Cluster | null;
  getCurrentUser(): User | null;
}

/** A kubeconfig with some hundred clusters has fewer values. */
const limits = { bytes: mostBytes.kubeconfig, values: 1_000_000 };

/** The package reads `token-file` of every user while it loads. kubectl does not know this field. */
const withoutTokenFile = (entry: unknown): unknown =>
  isRecord(entry) && isRecord(entry.user)
    ? { ...entry, user: { ...entry.user, "token-file": undefined } }
    : entry;

/**
 * @param folder - to which paths in the text are relative
 * @throws Error if the text is no kubeconfig
 */
export function loadKubeconfig(config: Config, text: string, folder: string): void {
  const value = yamlValue(text, limits, { merge: true });
  if (!isRecord(value)) {
    throw new Error("it is not a mapping");
  }
  const users: unknown = Array.isArray(value.users) ? value.users.map(withoutTokenFile) : value.users;
  config.loadFromString(JSON.stringify({ ...value, users }));
  config.makePathsAbsolute(resolve(folder));
}

function bytesOf(file: string): Buffer {
  try {
    return readBounded(file, mostBytes.small);
  } catch (error) {
    throw new Error(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** The field of a file, and the data in its place; none where no file is named. */
const read = (field: string, data: string, file: string | null | undefined) =>
  file ? { [field]: undefined, [data]: bytesOf(file).toString("base64") } : {};

/** Puts the content of the current login's files in place of their names. @throws Error if one cannot be read */
export function readLoginFiles(config: Config): void {
  const [cluster, user] = [config.getCurrentCluster(), config.getCurrentUser()];
  config.clusters = config.clusters.map((one) =>
    one === cluster ? { ...one, ...read("caFile", "caData", one.caFile) } : one,
  );
  config.users = config.users.map((one) =>
    one === user
      ? {
          ...one,
          ...read("certFile", "certData", one.certFile),
          ...read("keyFile", "keyData", one.keyFile),
        }
      : one,
  );
  // This one changes while a command runs, so the package reads it again every minute.
  const tokenFile = at(user, "authProvider", "config", "tokenFile");
  if (typeof tokenFile === "string") {
    bytesOf(tokenFile);
  }
}
