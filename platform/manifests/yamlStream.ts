import { CORE_SCHEMA, loadAll } from "js-yaml";
import { parseAllDocuments } from "yaml";
import type { KubernetesObject } from "../../capi/types";

/** The content of a YAML stream. */
export interface YamlStream {
  /** The value of each document that could be read; null for one without content. */
  readonly values: readonly unknown[];
  /** Why a document could not be read. */
  readonly errors: readonly string[];
}

/**
 * The Kubernetes objects of a YAML stream, and why the rest of it cannot be read. A document without content is left
 * out: an offline plan has a comment in place of a pinned manifest.
 */
export function readObjects(text: string): {
  readonly objects: readonly KubernetesObject[];
  readonly errors: readonly string[];
} {
  const { values, errors } = readYamlStream(text);
  return { objects: (values as (KubernetesObject | null)[]).filter((object) => object != null), errors };
}

/**
 * Reads a YAML stream that a program wrote, such as a manifest. js-yaml reads it, which takes a fifth of the time of
 * `yaml` and is loaded with the Pulumi SDK anyway; what it does not accept is read by `yaml`, which continues after an
 * error and says where it is. For files that people write, `yaml` is the only reader.
 */
export function readYamlStream(text: string): YamlStream {
  try {
    return { values: loadAll(text, undefined, { schema: CORE_SCHEMA }), errors: [] };
  } catch {
    const documents = parseAllDocuments(text);
    const read = "empty" in documents ? [] : documents;
    return {
      values: read.filter(({ errors }) => errors.length === 0).map((document): unknown => document.toJS()),
      errors: read.flatMap(({ errors }) => errors.map(({ message }) => message)),
    };
  }
}
