import { type Document, type Node, type ScalarTag, stringify, visit } from "yaml";
import type { KubernetesObject } from "capz-types";
import { isMerge, otherBreak, plainYaml, yamlDocuments } from "capz-windows-kit/boundedYaml";
import { goNumber } from "capz-windows-kit/goScalars";
import { memoize } from "capz-windows-kit/memoize";
import { present } from "capz-windows-kit/present";

/** All manifests of Calico together have fewer. */
const mostValues = 500_000;

const tooLarge = "its aliases make it endless, or more than 500,000 values";

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

/** As many as the add-ons of some stacks have, which two sides of a comparison share. */
const keptStreams = 100;

/** Words of YAML 1.1 that Kubernetes reads as true and false (sigs.k8s.io/yaml v1.6.0, goyaml.v2/resolve.go). */
const words: ScalarTag = {
  tag: "tag:yaml.org,2002:bool",
  default: true,
  test: /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/,
  resolve: (word) => /^(?:y|on)/i.test(word),
};

/** Numbers that YAML 1.2 takes for text or for others: 0644, 0b1 and 1_000. */
const numbers: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^[-+]?(?:0[0-7_]+|0[bB][01_]+|0[xXoO][\da-fA-F]*_[\da-fA-F_]*|[1-9]\d*_[\d_]*)$/,
  resolve: (source) => {
    const number = goNumber(source);
    return number === undefined ? source : Number(number);
  },
};

/** Tags that say no more than the value does. */
const knownTags = ["str", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`);

/** The lines of offsets that only grow, for which it goes through the text once. */
function linesIn(text: string): (offset: number) => number {
  let [line, from] = [1, 0];
  return (offset) => {
    for (let end = text.indexOf("\n", from); end >= 0 && end < offset; end = text.indexOf("\n", from)) {
      line += 1;
      from = end + 1;
    }
    return line;
  };
}

/**
 * The first that Kubernetes reads otherwise than this program, which would look for privileges in other values: it merges
 * mappings, in the order of their keys, and knows tags such as !!binary (sigs.k8s.io/yaml v1.6.0, goyaml.v2/decode.go).
 */
function otherReading(document: Document.Parsed, lineOf: (offset: number) => number): string | undefined {
  let found: string | undefined;
  const find = (what: string, node: unknown): symbol => {
    const line = lineOf((node as Node).range?.[0] ?? 0);
    found = `line ${line} has ${what}, which Kubernetes reads otherwise than this program`;
    return visit.BREAK;
  };
  visit(document, {
    Pair(_, { key }) {
      return isMerge(key) ? find("a merge key (<<)", key) : undefined;
    },
    Node(_, node) {
      const { tag } = node as Node & { readonly tag?: string };
      return tag !== undefined && !knownTags.includes(tag) ? find("a tag", node) : undefined;
    },
  });
  return found;
}

/** Reads a YAML stream, such as a manifest, and continues after an error. */
export const readYamlStream = memoize((text: string): YamlStream => {
  const values: unknown[] = [];
  const errors: string[] = [];
  const lineOf = linesIn(text);
  const mayDiffer = /<<|!/.test(text);
  for (const document of yamlDocuments(text, { customTags: (tags) => [words, numbers, ...tags] })) {
    const other = document.errors.length === 0 && mayDiffer ? otherReading(document, lineOf) : undefined;
    errors.push(...document.errors.map(({ message }) => message), ...present(other));
    const isRead = document.errors.length === 0 && other === undefined;
    const plain = isRead ? plainYaml(document, mostValues) : undefined;
    if (plain !== undefined && "value" in plain) {
      values.push(plain.value);
    } else if (plain !== undefined) {
      errors.push(tooLarge);
    }
  }
  return { values, errors: [...new Set(errors)] };
}, keptStreams);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

const toYaml = memoize((object: KubernetesObject): string => {
  const text = stringify(object, {
    // Kubernetes reads YAML 1.1, in which the plain words yes, no, on and off are booleans, so they are quoted.
    compat: "yaml-1.1",
    // No anchors for parts that several objects share, and no folded lines, because people compare these streams.
    aliasDuplicateObjects: false,
    lineWidth: 0,
  });
  // The package writes what ends a line there as it is. JSON is YAML, too.
  return otherBreak.test(text)
    ? `${JSON.stringify(object, null, 2).replace(/[\u0085\u2028\u2029]/g, escaped)}\n`
    : text;
});

/** Objects as one YAML stream, in the given order and with the given order of fields. */
export const toYamlStream = (objects: readonly KubernetesObject[]): string =>
  objects.map((object) => toYaml(object)).join("---\n");

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
