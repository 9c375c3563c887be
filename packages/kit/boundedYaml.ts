import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  parseDocument,
  visit,
  YAMLParseError,
  type Alias,
  type CollectionTag,
  type Document,
  type DocumentOptions,
  type ErrorCode,
  type Node,
  type ParseOptions,
  type SchemaOptions,
  type Tags,
} from "yaml";
import { present } from "./present";
import { formatCount } from "./problem";

/**
 * YAML that people or clusters write: every reader of it is here, because the time and the memory for a text must follow from its
 * length. Aliases and merge keys make a thousand bytes endless, and the package compares each key of a mapping with all others.
 */

export type YamlFault = "endless" | "large" | "merge";

export type YamlOptions = ParseOptions &
  DocumentOptions &
  SchemaOptions & {
    /** Whether lines may end with what only other readers take for an end. Default: no. */
    readonly otherBreaks?: true;
  };

/**
 * The end of a line in YAML 1.1, which Go's and Python's readers follow, and text for the package: behind a comment, it hides what
 * they read.
 */
export const otherBreak = /\r(?!\n)|[\u0085\u2028\u2029]/;

/** More aliases has no file that a person wrote, and each takes the time for all anchors. */
const mostAliases = 2_000;

/** More errors nobody reads, and each looks for its line. */
const mostErrors = 50;

/**
 * The package compares each entry of an ordered mapping, a list of pairs or a set with all others. Go's readers take them for plain
 * lists and mappings, as these do.
 */
const plainTags = (["omap", "pairs", "set"] as const).map((name): CollectionTag => ({
  tag: `tag:yaml.org,2002:${name}`,
  collection: name === "set" ? "map" : "seq",
  resolve: (node) => node,
}));

function withPlainTags(options: YamlOptions): YamlOptions {
  const { customTags } = options;
  const isPlain = (tag: Tags[number]): boolean =>
    plainTags.some((plain) =>
      typeof tag === "string" ? plain.tag.endsWith(`:${tag}`) : plain.tag === tag.tag,
    );
  return {
    ...options,
    uniqueKeys: false,
    customTags: (tags) => {
      const given = typeof customTags === "function" ? customTags(tags) : tags.concat(customTags ?? []);
      return [...plainTags, ...given.filter((tag) => !isPlain(tag))];
    },
  };
}

/** An error as the package words it. */
function errorAt(lines: LineCounter, at: number, code: ErrorCode, message: string): YAMLParseError {
  const { line, col } = lines.linePos(at);
  const place = `at line ${line}, column ${col}:`;
  return new YAMLParseError([at, at + 1], code, `${message} ${place}`);
}

/** Two keys of one mapping that are equal as text, which Pulumi makes of each: 1 and "1". Found in one pass. */
function repeatedKeys(document: Document.Parsed): number[] {
  const found: number[] = [];
  visit(document, {
    Map(_, map) {
      const known = new Set<string>();
      for (const { key } of map.items) {
        if (isScalar(key)) {
          const name = String(key.value);
          if (known.has(name)) {
            found.push(key.range?.[0] ?? 0);
          }
          known.add(name);
        }
      }
    },
  });
  return found;
}

/**
 * Keys that are mappings or lists. No reader has a use for them, Go's refuse them, and the package makes a text of each with all that
 * are inside of it: five hundred of them never end.
 */
function collectionKeys(document: Document.Parsed, targets: AliasTargets): number[] {
  const found: number[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (isCollection(isAlias(key) ? targets.get(key) : key)) {
        found.push((key as Node).range?.[0] ?? 0);
        return visit.SKIP;
      }
      return undefined;
    },
  });
  return found;
}

/** The package recurses, so that brackets by the thousand end its stack; its errors about that have no word for a user. */
function nameDepth(document: Document.Parsed, lines: LineCounter): void {
  const first = document.errors.find(({ message }) => message.startsWith("Maximum call stack"));
  if (first !== undefined) {
    const message = "Too many mappings or lists inside one another";
    document.errors = [errorAt(lines, first.pos[0], "RESOURCE_EXHAUSTION", message)];
  }
}

/** Looked for once in a text, whatever the number of its documents. */
function otherBreakIn(text: string, lines: LineCounter, { otherBreaks }: YamlOptions) {
  const at = otherBreaks === true ? -1 : text.search(otherBreak);
  if (at < 0) {
    return undefined;
  }
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return errorAt(lines, at, "IMPOSSIBLE", `U+${code} ends a line that editors do not end`);
}

/**
 * The errors that the package does not find, does not name, or notices only when it reads the values, as aliases of anchors that are
 * not there.
 */
function addErrors(document: Document.Parsed, lines: LineCounter, broken: YAMLParseError | undefined): void {
  const add = (places: readonly number[], code: ErrorCode, message: string): void => {
    for (const at of places.slice(0, mostErrors)) {
      document.errors.push(errorAt(lines, at, code, message));
    }
  };
  nameDepth(document, lines);
  document.errors.push(...present(broken));
  const targets = aliasTargets(document);
  const dead = [...targets].flatMap(([{ range }, target]) => (target === undefined ? [range?.[0] ?? 0] : []));
  add(repeatedKeys(document), "DUPLICATE_KEY", "Map keys must be unique");
  add(collectionKeys(document, targets), "NON_STRING_KEY", "A key must be a text, not a mapping or a list");
  add(dead, "BAD_ALIAS", "Unresolved alias (the anchor must be set before the alias)");
  document.errors.sort((a, b) => a.pos[0] - b.pos[0]);
}

/** Of a text of large rendered charts. Each may become a node, which takes a kilobyte. */
const mostParts = 1_000_000;

/** Whether a text has more lines, entries and keys than the package takes in a reasonable time. */
function isLong(text: string): boolean {
  let parts = 0;
  for (let at = 0; at < text.length && parts <= mostParts; at += 1) {
    if ("\n,:[{".includes(text.charAt(at))) {
      parts += 1;
    }
  }
  return parts > mostParts;
}

/** Each takes the time for a schema; the manifests of all add-ons have less than a tenth. */
const mostDocuments = 5_000;

/** Whether a text has more documents, lines, entries or keys than the package takes in a reasonable time. */
function isExhausting(text: string): boolean {
  const markers = /^(?:---|\.\.\.)/gm;
  let documents = 0;
  while (documents <= mostDocuments && markers.test(text)) {
    documents += 1;
  }
  return documents > mostDocuments || isLong(text);
}

/** A document that has only the word why the text is not read. */
function exhausting(): Document.Parsed {
  const document = parseDocument("");
  const message = `More than ${formatCount(mostDocuments)} documents, or ${formatCount(mostParts)} lines and values`;
  document.errors.push(new YAMLParseError([0, 1], "RESOURCE_EXHAUSTION", message));
  return document;
}

/** The documents of a text, with their errors. */
export function yamlDocuments(text: string, options: YamlOptions = {}): Document.Parsed[] {
  if (isExhausting(text)) {
    return [exhausting()];
  }
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { ...withPlainTags(options), lineCounter: lines });
  const broken = otherBreakIn(text, lines, options);
  // Without any document, the package returns an empty list that has the errors of the text.
  return [...documents].map((document) => {
    addErrors(document, lines, broken);
    return document;
  });
}

/** The one document of a text; a second one is an error. */
export function yamlDocument(text: string, options: YamlOptions = {}): Document.Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { ...withPlainTags(options), lineCounter: lines });
  const broken = otherBreakIn(text, lines, options);
  addErrors(document, lines, broken);
  return document;
}

type AliasTargets = ReadonlyMap<Alias, Node | undefined>;

/** The node of each alias; `undefined` for one without an anchor before it. */
export function aliasTargets(document: Document): AliasTargets {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        targets.set(node, anchors.get(node.source));
      } else if (node.anchor !== undefined) {
        anchors.set(node.anchor, node);
      }
    },
  });
  return targets;
}

export const isMerge = (key: unknown): boolean =>
  isScalar(key) &&
  (key.value === "<<" || typeof key.value === "symbol") &&
  key.type !== "QUOTE_DOUBLE" &&
  key.type !== "QUOTE_SINGLE";

/** Counts the values that reading a document makes, each alias with all that its anchor has. */
class Counter {
  readonly #sizes = new Map<unknown, number>();

  fault: YamlFault | undefined;

  constructor(
    readonly targets: AliasTargets,
    readonly merges: boolean,
  ) {}

  sizeOf(node: unknown): number {
    if (isAlias(node)) {
      return this.sizeOf(this.targets.get(node));
    }
    if (!isCollection(node)) {
      return 1;
    }
    const before = this.#sizes.get(node);
    if (before !== undefined) {
      return before;
    }
    // Until its size is known, whoever meets it again is inside of it.
    this.#sizes.set(node, Infinity);
    let size = 1;
    for (const item of node.items as readonly unknown[]) {
      size += this.#sizeOfItem(item);
    }
    this.#sizes.set(node, size);
    return size;
  }

  #sizeOfItem(item: unknown): number {
    if (!isPair(item)) {
      return this.sizeOf(item);
    }
    if (this.merges && isMerge(item.key) && !this.#isMappings(item.value)) {
      this.fault = "merge";
    }
    return this.sizeOf(item.key) + this.sizeOf(item.value);
  }

  /** A mapping, or a list of them. */
  #isMappings(value: unknown): boolean {
    const node = isAlias(value) ? this.targets.get(value) : value;
    return (
      isMap(node) ||
      (isSeq(node) && node.items.every((item) => isMap(isAlias(item) ? this.targets.get(item) : item)))
    );
  }
}

/**
 * The value of a document without errors.
 * @param most - number of values that aliases may make; without aliases it follows from the length of the text
 */
export function plainYaml(
  document: Document.Parsed,
  most: number,
): { readonly value: unknown } | { readonly fault: YamlFault } {
  const targets = aliasTargets(document);
  const merges = document.schema.tags.some(({ tag }) => tag === "tag:yaml.org,2002:merge");
  const counter = new Counter(targets, merges);
  const size = counter.sizeOf(document.contents);
  if (counter.fault !== undefined) {
    return { fault: counter.fault };
  }
  if (targets.size > 0 && (size > most || targets.size > mostAliases)) {
    return { fault: size === Infinity ? "endless" : "large" };
  }
  return { value: document.toJS({ maxAliasCount: -1 }) as unknown };
}

/** Bytes, and values with all aliases, that a reader of files takes. */
export interface YamlLimits {
  readonly bytes: number;
  readonly values: number;
}

const faultWords = ({ values }: YamlLimits): Readonly<Record<YamlFault, string>> => ({
  endless: "an alias is inside its own anchor",
  large: `aliases of aliases make more than ${formatCount(values)} values`,
  merge: "the value of a merge key (<<) is neither a mapping nor a list of mappings",
});

/** A text that is not read; the message is for the user, without any part of the text. */
export class YamlError extends Error {
  override readonly name = "YamlError";

  /** @param isSyntax - whether it is not YAML, and not only too much of it */
  constructor(
    message: string,
    readonly document: number,
    readonly isSyntax: boolean,
  ) {
    super(message);
  }
}

/** The value of a document, or why it has none. */
function valueOf(document: Document.Parsed, number: number, limits: YamlLimits): unknown {
  const [error] = document.errors;
  if (error !== undefined) {
    const message = (error.message.split("\n")[0] ?? "").replace(/:$/, "");
    return new YamlError(message, number, error.code !== "RESOURCE_EXHAUSTION");
  }
  const plain = plainYaml(document, limits.values);
  return "fault" in plain ? new YamlError(faultWords(limits)[plain.fault], number, false) : plain.value;
}

/** The value of each document of a text, or a YamlError in its place. @throws YamlError when the text is too large */
export function yamlParts(text: string, limits: YamlLimits, options: YamlOptions = {}): unknown[] {
  if (text.length > limits.bytes) {
    throw new YamlError(`it has more than ${formatCount(limits.bytes)} characters`, 1, false);
  }
  if (isLong(text)) {
    throw new YamlError(`it has more than ${formatCount(mostParts)} lines and values`, 1, false);
  }
  return yamlDocuments(text, options).map((document, index) => valueOf(document, index + 1, limits));
}

/** The same. @throws YamlError when it is too large, is not YAML, or has aliases or merge keys that make it so */
export function yamlValues(text: string, limits: YamlLimits, options: YamlOptions = {}): unknown[] {
  return yamlParts(text, limits, options).map((part) => {
    if (part instanceof YamlError) {
      throw part;
    }
    return part;
  });
}

/** The value of a text with one document. @throws YamlError as yamlValues does, and for a second document */
export function yamlValue(text: string, limits: YamlLimits, options: YamlOptions = {}): unknown {
  const [value, ...more] = yamlValues(text, limits, options);
  if (more.length > 0) {
    throw new YamlError("it has more than one document", 2, true);
  }
  return value;
}

/** Of a text in the config of a stack, which has at most 120,000 bytes. */
export const configLimits: YamlLimits = { bytes: 200_000, values: 50_000 };
/** Of a file in the bootstrap data of a machine, which has at most 60,000 bytes. */
export const fileLimits: YamlLimits = { bytes: 100_000, values: 20_000 };
