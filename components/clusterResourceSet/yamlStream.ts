import { namespacedKinds } from "../../platform/manifests/kinds";
import { textAt } from "../../tools/untyped";

/** Kubernetes objects as documents of a YAML stream. */

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
 * Checks what Cluster API needs to create an object in the workload cluster.
 * @throws Error when apiVersion, kind, metadata.name or, for a namespaced kind of Kubernetes itself, metadata.namespace
 * is missing
 */
export function assertDeliverable(where: string, value: unknown): void {
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
