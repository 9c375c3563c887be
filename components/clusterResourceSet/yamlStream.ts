/** Kubernetes objects as documents of a YAML stream. */

/**
 * Kinds without namespace among what the add-ons deliver. An object of any other kind must name its namespace:
 * Cluster API applies it as it is, and the API server does not default the namespace of a create request.
 */
const clusterScopedKinds = new Set([
  "APIService",
  "ClusterRole",
  "ClusterRoleBinding",
  "CSIDriver",
  "CustomResourceDefinition",
  "IngressClass",
  "MutatingWebhookConfiguration",
  "Namespace",
  "PersistentVolume",
  "PriorityClass",
  "RuntimeClass",
  "StorageClass",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
  // operator.tigera.io
  "APIServer",
  "Goldmane",
  "ImageSet",
  "Installation",
  "Whisker",
  // crd.projectcalico.org
  "BGPConfiguration",
  "FelixConfiguration",
  "GlobalNetworkPolicy",
  "GlobalNetworkSet",
  "IPAMConfig",
  "IPPool",
]);

/**
 * The documents of a YAML stream, each ending in a line break, without the `---` between them and without empty
 * ones. Bytes inside a document stay as they are. A line that begins with `---` always separates: contents of block
 * scalars are indented.
 */
export function splitDocuments(stream: string): string[] {
  return stream
    .replaceAll("\r\n", "\n")
    .split(/^---(?=[ \t\n]|$)[ \t]*(?:#[^\n]*)?\n?/m)
    .filter((text) => text.trim() !== "")
    .map((text) => (text.endsWith("\n") ? text : `${text}\n`));
}

/**
 * Checks what Cluster API needs of an object before it can create it in the workload cluster.
 * @throws Error when apiVersion, kind, metadata.name or, for a namespaced kind, metadata.namespace is missing
 */
export function assertDeliverable(where: string, value: unknown): void {
  const text = (path: readonly string[]): string | undefined => {
    let node: unknown = value;
    for (const step of path) {
      node = typeof node === "object" && node !== null ? (node as Record<string, unknown>)[step] : undefined;
    }
    return typeof node === "string" && node !== "" ? node : undefined;
  };
  const kind = text(["kind"]);
  const name = text(["metadata", "name"]);
  if (text(["apiVersion"]) === undefined || kind === undefined || name === undefined) {
    throw new Error(`${where}: a Kubernetes object has apiVersion, kind and metadata.name, each a text.`);
  }
  if (!clusterScopedKinds.has(kind) && text(["metadata", "namespace"]) === undefined) {
    throw new Error(
      `${where}: ${kind} ${name} names no namespace. Write metadata.namespace: a ClusterResourceSet has no default.`,
    );
  }
}
