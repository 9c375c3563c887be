import { apiVersions } from "../../capi/apiVersions";
import type { KubernetesObject, ObjectMeta } from "capz-types";
import { memoize } from "capz-windows-kit/memoize";
import { namespacedKinds } from "capz-windows-platform/manifests/kinds";
import { readYamlStream, splitDocuments } from "capz-windows-platform/manifests/yamlStream";
import { textAt } from "capz-windows-kit/untyped";
import { standsForManifest } from "../../addons/pinnedManifest";
import type { ClusterResourceSet } from "capz-types/crds/addons";

/**
 * Size limit of a ConfigMap, in bytes of its JSON. The API server refuses 1 MiB (1,048,576); the difference is room for
 * managedFields and the owner reference, which others add to the object.
 */
export const maxConfigMapBytes = 900 * 1024;

/** Largest number of entries in `ClusterResourceSet.spec.resources` (CAPI v1.14.2, CRD clusterresourcesets). */
const maxResources = 100;

/** A text of Kubernetes objects. */
export interface ResourceEntryArgs {
  /** Part of the ConfigMap key: letters, digits, `-`, `_` and `.`. */
  key: string;
  /** YAML stream; every namespaced object in it names its namespace. */
  yaml: string;
}

export interface ClusterResourceSetArgs {
  /** Name of the ClusterResourceSet and of its first ConfigMap; further ones get `-2`, `-3` and so on. */
  name: string;
  /** The Cluster's namespace in the management cluster; a ClusterResourceSet applies to no other. */
  namespace: string;
  /** Version of the contents, if they have one, for readers of Pulumi's state or a plan. */
  version?: string | undefined;
  /** Labels of the ConfigMaps and the ClusterResourceSet. Default: none. */
  labels?: Record<string, string> | undefined;
  /** Labels of the Clusters that get the resources; not empty, and immutable afterwards. */
  clusterSelector: Record<string, string>;
  /** Apply each object once, and leave it to the cluster afterwards. Immutable. Default: false. */
  applyOnce?: boolean | undefined;
  /** In the order in which they are to be applied. Their size decides how many ConfigMaps there are. */
  entries: ResourceEntryArgs[];
}

export interface ConfigMapObject extends KubernetesObject {
  readonly apiVersion: "v1";
  readonly kind: "ConfigMap";
  readonly data: Readonly<Record<string, string>>;
}

interface Metadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

const metadataOf = ({ name, namespace, labels }: Metadata): ObjectMeta => ({
  name,
  namespace,
  ...(labels === undefined ? {} : ({ labels } satisfies Partial<ObjectMeta>)),
});

export const configMapObject = (
  args: Metadata & { readonly data: Readonly<Record<string, string>> },
): ConfigMapObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: metadataOf(args),
  data: args.data,
});

/**
 * A ClusterResourceSet that applies ConfigMaps in the given order. By default with the strategy Reconcile: changed
 * contents (an image after an upgrade) are applied again, and so is an object whose CRD was missing at first.
 * @throws Error for an empty selector, no ConfigMap, or more than {@link maxResources}
 */
export function clusterResourceSetObject(
  args: Metadata & {
    readonly clusterSelector: Readonly<Record<string, string>>;
    readonly configMapNames: readonly string[];
    readonly applyOnce?: boolean | undefined;
  },
): ClusterResourceSet {
  const { name, clusterSelector, configMapNames } = args;
  if (Object.keys(clusterSelector).length === 0) {
    throw new Error(
      `ClusterResourceSet ${name}: clusterSelector is empty; Cluster API refuses that. Give a label.`,
    );
  }
  if (configMapNames.length === 0 || configMapNames.length > maxResources) {
    throw new Error(
      `ClusterResourceSet ${name} has ${configMapNames.length} ConfigMaps; 1 to ${maxResources} are possible. ` +
        "Divide the resources over several ClusterResourceSets.",
    );
  }
  return {
    apiVersion: apiVersions.addons,
    kind: "ClusterResourceSet",
    metadata: metadataOf(args),
    spec: {
      strategy: args.applyOnce === true ? "ApplyOnce" : "Reconcile",
      clusterSelector: { matchLabels: clusterSelector },
      resources: configMapNames.map((configMapName) => ({ kind: "ConfigMap", name: configMapName })),
    },
  };
}

/**
 * Puts YAML streams into as many ConfigMaps as their size requires, and creates the ClusterResourceSet for them.
 *
 * Cluster API applies the ConfigMaps in order, the keys of one alphabetically, and sorts the objects of one key by kind
 * (CAPI v1.14.2 core/reconcilers/clusterresourceset). So keys get a numeric prefix, and an entry stays whole unless it
 * alone is too large; then it is divided between documents over several ConfigMaps.
 * @throws Error when an entry is empty, is not YAML, holds an object without name or namespace, or one document alone
 * is too large
 */
export function packResources(args: ClusterResourceSetArgs) {
  const { name, namespace, labels, clusterSelector, entries } = args;
  const configMapName = (index: number) => (index === 0 ? name : `${name}-${index + 1}`);
  const named = (index: number, data: Record<string, string>) =>
    configMapObject({ name: configMapName(index), namespace, labels, data });
  // Room for data, next to metadata with the longest name that can occur.
  const room = maxConfigMapBytes - jsonBytes(named(maxResources - 1, {}));

  const packed: Record<string, string>[] = [];
  let current: Record<string, string> = {};
  let used = 0;
  const close = () => {
    if (used > 0) packed.push(current);
    current = {};
    used = 0;
  };
  const width = Math.max(2, String(entries.length).length);
  entries.forEach(({ key, yaml }, index) => {
    const documents = documentsOf(key, yaml);
    const fullKey = `${String(index + 1).padStart(width, "0")}-${key}`;
    // `"key":"value",`: the key and the quotes of the value count once per ConfigMap.
    const overhead = jsonBytes(fullKey) + 4;
    for (const piece of pieces(key, documents, room - overhead)) {
      const size = overhead + jsonBytes(piece) - 2;
      if (used + size > room) close();
      current[fullKey] = piece;
      used += size;
    }
  });
  close();

  return {
    configMaps: packed.map((data, index) => named(index, data)),
    clusterResourceSet: clusterResourceSetObject({
      name,
      namespace,
      labels,
      clusterSelector,
      applyOnce: args.applyOnce,
      configMapNames: packed.map((_, index) => configMapName(index)),
    }),
  };
}

const separator = "---\n";

/** The documents of an entry, joined into as few texts as possible, each at most `limit` bytes in JSON. */
function pieces(key: string, documents: readonly string[], limit: number): string[] {
  const result: string[] = [];
  let current: string[] = [];
  let used = 0;
  documents.forEach((text, index) => {
    const size = jsonBytes(text) - 2;
    if (size > limit) {
      throw new Error(
        `Entry ${key}: ${describe(text, index)} takes ${size} bytes; a ConfigMap of a ClusterResourceSet has room ` +
          `for ${limit}. Deliver it in another way.`,
      );
    }
    const joined = current.length === 0 ? size : used + jsonBytes(separator) - 2 + size;
    if (joined > limit) {
      result.push(current.join(separator));
      current = [];
    }
    used = current.length === 0 ? size : joined;
    current.push(text);
  });
  result.push(current.join(separator));
  return result;
}

const documentsOf = memoize((key: string, yaml: string): readonly string[] => {
  if (!/^[-._a-zA-Z0-9]{1,200}$/.test(key)) {
    throw new Error(`Entry ${JSON.stringify(key)}: a ConfigMap key has 1 to 200 letters, digits, -, _ and .`);
  }
  const documents = splitDocuments(yaml);
  let objects = 0;
  documents.forEach((text, index) => {
    const { values, errors } = readYamlStream(text);
    const [error] = errors;
    if (error !== undefined) {
      throw new Error(`Entry ${key}: document ${index + 1} is not YAML: ${error}`);
    }
    const [value] = values;
    if (value == null) return;
    assertDeliverable(`Entry ${key}, document ${index + 1}`, value);
    objects += 1;
  });
  if (objects === 0 && !standsForManifest(yaml)) {
    throw new Error(`Entry ${key} has no Kubernetes object.`);
  }
  return documents;
});

function describe(text: string, index: number): string {
  const value = readYamlStream(text).values[0] as Partial<KubernetesObject> | null | undefined;
  return value?.kind === undefined ? `document ${index + 1}` : `${value.kind} ${value.metadata?.name ?? ""}`;
}

/** Size in JSON, in UTF-8: what the API server receives, and at least what it counts. */
const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value), "utf8");

/**
 * Checks what Cluster API needs to create an object in the workload cluster.
 * @throws Error when apiVersion, kind, metadata.name or, for a namespaced kind of Kubernetes itself, metadata.namespace
 * is missing
 */
function assertDeliverable(where: string, value: unknown): void {
  const [kind, name] = [textAt(value, "kind"), textAt(value, "metadata", "name")];
  if (textAt(value, "apiVersion") === "" || kind === "" || name === "") {
    throw new Error(`${where}: a Kubernetes object has apiVersion, kind and metadata.name, each a text.`);
  }
  if (namespacedKinds.has(kind) && textAt(value, "metadata", "namespace") === "") {
    throw new Error(
      `${where}: ${kind} ${name} names no namespace. Write metadata.namespace: a ClusterResourceSet has no default.`,
    );
  }
}
