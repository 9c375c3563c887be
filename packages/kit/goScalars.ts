import { type Document, isPair, isScalar, isSeq, type Node, type Pair, type Scalar, visit } from "yaml";

/**
 * Plain words that Pulumi's reader of YAML (gopkg.in/yaml.v3 v3.0.1, resolve.go) takes for something else than YAML 1.2 does:
 * what the plan shows would not be what is deployed. Pulumi rewrites such a line, too, whenever it writes the file.
 */
export interface GoScalar {
  /** Offset in the text. */
  readonly at: number;
  /** The key that it is, or whose value it is in. */
  readonly key: string | undefined;
  /** Whether it is an item of a list. */
  readonly isItem: boolean;
  /** The word, as the text has it. */
  readonly source: string;
  /** What Pulumi makes of it: a number, or one of these. */
  readonly read: number | bigint | "time" | "no JSON" | "tag";
}

/** Its formats of a time: 2006-1-2, and with a time of the day after T, t or a space. */
const time =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})| \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?)?$/;

/** Whether it is a time that there is: it takes 2027-13-31 and 25:00:00 for text, too. */
function isTime(source: string): boolean {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = source.split(/\D+/).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return time.test(source) && isDay && hour < 24 && minute < 60 && second < 60;
}

/** Its integers, once each _ is taken away: 0x, 0o and 0b, and a leading 0 for octal ones. */
const integers: readonly (readonly [RegExp, string])[] = [
  [/^0[xX]([0-9a-fA-F]+)$/, "0x"],
  [/^0[oO]?([0-7]+)$/, "0o"],
  [/^0[bB]([01]+)$/, "0b"],
  [/^([1-9]\d*|0)$/, ""],
];

const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

/** A number as yaml.v3 reads it; undefined for what it takes for text. */
export function goNumber(source: string): number | bigint | undefined {
  if (!/^[-+.\d]/.test(source)) {
    return undefined;
  }
  const plain = source.replaceAll("_", "");
  const sign = /^[-+]/.exec(plain)?.[0] ?? "";
  const digits = plain.slice(sign.length);
  for (const [pattern, prefix] of integers) {
    const found = pattern.exec(digits)?.[1];
    if (found !== undefined) {
      const value = BigInt(`${prefix}${found}`);
      return sign === "-" ? -value : value;
    }
  }
  return float.test(plain) ? Number(plain) : undefined;
}

/** Whether a text needs quotes, because Pulumi would read it as something else. */
export const needsQuotes = (text: string): boolean => time.test(text) || goNumber(text) !== undefined;

/** The program gets a number as JSON, and rounds it like this reader. */
const sameNumber = (value: unknown, number: number | bigint): boolean => value === Number(number);

/** Tags that say no more than the value does, or that both readers know alike. */
const knownTags = ["tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"];

/** What Pulumi makes of a scalar; undefined where both readers agree. */
function otherReading({ source = "", value, type }: Scalar): GoScalar["read"] | undefined {
  if (type !== "PLAIN") {
    return undefined;
  }
  if (isTime(source)) {
    return "time";
  }
  const number = goNumber(source);
  if (number !== undefined && (typeof number === "bigint" || Number.isFinite(number))) {
    return sameNumber(value, number) ? undefined : number;
  }
  return typeof value === "number" && !Number.isFinite(value) ? "no JSON" : undefined;
}

type Ancestors = readonly (Document | Node | Pair)[];

const keyOf = (ancestors: Ancestors): string | undefined => {
  const pair = ancestors.findLast((one): one is Pair => isPair(one));
  return isScalar(pair?.key) ? String(pair.key.source ?? pair.key.value) : undefined;
};

/** The keys and positions that lead to a value. */
function pathOf(node: Node, ancestors: Ancestors): PropertyKey[] {
  return ancestors.flatMap((one, index): PropertyKey[] => {
    const next = ancestors[index + 1] ?? node;
    if (isPair(one)) {
      return isScalar(one.key) ? [String(one.key.value)] : [];
    }
    return isSeq(one) ? [one.items.indexOf(next)] : [];
  });
}

/** A number of which both readers lose how it is written, such as 1.10, where text is meant. */
const losesText = ({ source, value, type }: Scalar): boolean =>
  type === "PLAIN" && typeof value === "number" && String(value) !== source;

/**
 * All of a document, in its order.
 * @param wantsText - whether a word is right as the text at a path. Default: none is.
 */
export function goScalars(
  document: Document,
  wantsText: (path: readonly PropertyKey[], source: string) => boolean = () => false,
): GoScalar[] {
  const found: GoScalar[] = [];
  visit(document, {
    Node(_, node, ancestors) {
      const { tag, range } = node as Node & { readonly tag?: string };
      if (range && (tag === undefined || !knownTags.includes(tag))) {
        const read = tag === undefined ? readingOf(node, ancestors, wantsText) : "tag";
        const source = isScalar(node) ? (node.source ?? "") : "";
        if (read !== undefined) {
          const isItem = isSeq(ancestors.at(-1));
          found.push({ at: range[0], key: keyOf(ancestors), isItem, source, read });
        }
      }
    },
  });
  return found;
}

function readingOf(
  node: Node,
  ancestors: Ancestors,
  wantsText: (path: readonly PropertyKey[], source: string) => boolean,
): GoScalar["read"] | undefined {
  if (!isScalar(node)) {
    return undefined;
  }
  const isText = losesText(node) && wantsText(pathOf(node, ancestors), node.source ?? "");
  return otherReading(node) ?? (isText ? Number(node.value) : undefined);
}
