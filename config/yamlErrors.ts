import { type Document, type ErrorCode, isCollection, isScalar, visit } from "yaml";
import { aliasTargets, plainYaml, yamlDocument, type YamlFault } from "capz-windows-kit/boundedYaml";
import { present } from "capz-windows-kit/present";
import { mayBeSecret, type Problem } from "capz-windows-kit/problem";
import { clip } from "capz-windows-kit/visible";
import { goScalars, type GoScalar } from "capz-windows-kit/goScalars";
import { keyName } from "capz-windows-kit/writeLine";

/** The errors of a text that is not YAML, without any of its values, which may be secrets. */

type Words = Pick<Problem, "problem" | "allowed">;

const otherWords: Words = {
  problem: "this is not valid YAML",
  allowed: "a key, a colon, a space and a value, or a list with a hyphen and a space before each item",
};

const indentation: Words = {
  problem: "this line is indented differently from the mapping or list it belongs to",
  allowed: "the same number of spaces before each key of a mapping",
};

const quotes: Words = {
  problem: "a quote, a bracket or a colon is missing",
  allowed: "each quote and bracket closed, and a colon with a space after each key",
};

const nested: Words = {
  problem: "there are two keys in one line, or a text with a colon has no quotes",
  allowed: "one key in a line, and quotes around a text with a colon and a space",
};

const wordsOf: Partial<Record<ErrorCode, Words>> = {
  TAB_AS_INDENT: {
    problem: "there is a tab before the first letter",
    allowed: "spaces before the first letter",
  },
  BAD_INDENT: indentation,
  MISSING_CHAR: quotes,
  BAD_SCALAR_START: {
    problem: "a text begins with a character that has a meaning in YAML, such as @, ` or %",
    allowed: "such a text in quotes",
  },
  BLOCK_AS_IMPLICIT_KEY: nested,
  MULTILINE_IMPLICIT_KEY: {
    problem: "a key is not followed by a colon and a space",
    allowed: "a key, a colon and a space",
  },
  DUPLICATE_KEY: {
    problem: "a key is there twice in a mapping",
    allowed: "each key once in a mapping, and each pool with a name of its own",
  },
  BAD_DIRECTIVE: {
    problem: "a line with % says how to read the file, and Pulumi and this program do not follow it alike",
    allowed: "no such line",
  },
  IMPOSSIBLE: {
    problem:
      "a character ends this line for Pulumi, and not for editors: a lone carriage return, U+0085, U+2028 or U+2029",
    allowed: "lines that end with LF or CR LF",
  },
  BAD_DQ_ESCAPE: {
    problem: "a backslash between double quotes begins an escape sequence that YAML does not have",
    allowed: "single quotes around a text with backslashes, or two backslashes for each",
  },
  BAD_ALIAS: {
    problem: "an asterisk refers to an anchor that does not exist",
    allowed: "an anchor above it, or quotes around a text that begins with an asterisk",
  },
  NON_STRING_KEY: {
    problem: "a key is a mapping or a list",
    allowed: "texts as keys, and quotes around a value with braces",
  },
  RESOURCE_EXHAUSTION: {
    problem: "too many mappings or lists are inside one another",
    allowed: "the keys of docs/config.md, none of which is deeper than a dozen",
  },
  MULTIPLE_DOCS: {
    problem: "a second document begins here",
    allowed: "one document in a file",
  },
};

/** The last key in or before the line of an offset. */
function keyBefore(text: string, position: number): string | undefined {
  const lines = text.slice(0, text.indexOf("\n", position) + 1 || undefined).split("\n");
  const key = lines
    .map((line) => /^[ \t]*(?:- +)?(["']?)([A-Za-z][\w:.-]*)\1[ \t]*:(?:\s|$)/.exec(line)?.[2])
    .filter((one) => one !== undefined)
    .at(-1);
  return key === undefined || mayBeSecret(key) ? undefined : key;
}

/** The key without a colon that a line consists of. */
function wordAt(text: string, position: number): string | undefined {
  const word = /^[A-Za-z][\w:.-]*/.exec(text.slice(position))?.[0].replace(/:$/, "");
  return word === undefined || mayBeSecret(word) ? undefined : word;
}

interface Fault {
  readonly code: ErrorCode;
  /** Offset in the text. */
  readonly at: number;
  /** Where YAML's parser noticed it, if that is elsewhere. */
  readonly foundAt?: number;
}

const linesUpTo = (text: string, at: number): string[] => text.slice(0, at).split("\n");

function place(text: string, position: number): string {
  const lines = linesUpTo(text, position);
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}

/** Codes whose place is that of the key itself. */
const atKey: readonly ErrorCode[] = ["MULTILINE_IMPLICIT_KEY", "DUPLICATE_KEY"];

function problemOf(text: string, { code, at }: Fault): Problem {
  const nearby = atKey.includes(code) ? wordAt : keyBefore;
  const key = code === "MULTIPLE_DOCS" ? undefined : nearby(text, at);
  const { problem, ...words } = wordsOf[code] ?? otherWords;
  return {
    path: place(text, at),
    problem: key === undefined ? problem : `${problem}, at the key ${key}`,
    ...words,
  };
}

/** More than this a config has not, as it must be shorter than 120,000 bytes (configSize.ts). */
const mostValues = 100_000;

const aliasWords: Readonly<Record<YamlFault, Words>> = {
  endless: {
    problem: "an alias is inside its own anchor, so the value never ends",
    allowed: "aliases after the whole value of their anchor",
  },
  large: {
    problem:
      "aliases repeat values that consist of aliases, with which the file has more than 100,000 values",
    allowed: "a config that Pulumi can pass to the program, of less than 120,000 bytes",
  },
  merge: {
    problem: "the value of a merge key (<<) is neither a mapping nor a list of mappings",
    allowed: "an alias of a mapping, or a list of such aliases",
  },
};

/** A word that Pulumi reads otherwise than the plan. */
function scalarProblem(text: string, { at, key, isItem, source, read }: GoScalar): Problem {
  const isSecret = key !== undefined && mayBeSecret(key);
  const word = isSecret ? "a value" : source;
  const where = key === undefined || isSecret || key === source ? "" : `, at the key ${key}`;
  const path = place(text, at);
  if (read === "tag") {
    return {
      path,
      problem: `Pulumi and this program do not read a tag alike${where}`,
      allowed: "values without a tag such as !!binary",
      write: "the value without the tag, a text in quotes",
    };
  }
  const quoted = isSecret ? "the value in quotes" : JSON.stringify(source);
  const line = (value: string): string => {
    if (key === source) {
      return `${quoted}:`;
    }
    return isItem || key === undefined || isSecret ? value : `${keyName(key)}: ${value}`;
  };
  if (typeof read === "string") {
    return {
      path,
      problem: `Pulumi reads ${word} as ${read === "time" ? "a time" : "a number that JSON does not have"}, not as text${where}`,
      allowed: "text in quotes",
      write: line(quoted),
    };
  }
  return {
    path,
    problem: `Pulumi reads ${word} as ${isSecret ? "another number" : `the number ${read}`}${where}`,
    allowed: "text in quotes, or a number without _, leading zeros, zeros at its end and 0b",
    write: isSecret || key === source ? line(quoted) : `${line(quoted)} # or, for a number: ${read}`,
  };
}

/** Offset of the first alias. */
function aliasAt(document: Document.Parsed): number {
  const [alias] = [...aliasTargets(document).keys()];
  return alias?.range?.[0] ?? 0;
}

/** A value continues in the next line if that is indented further, and is then taken for the key of a mapping. */
function indentedFurther(text: string, at: number): number | undefined {
  const [rest = ""] = text.slice(at).split("\n");
  const next = /\n[ \t]*(?=[^\s#])/g;
  next.lastIndex = at;
  const found = next.exec(text);
  return /:(\s|$)/.test(rest) || found === null ? undefined : found.index + found[0].length;
}

/** Offset of the open quote or bracket around an offset; the offset itself if there is none. */
function openedAt(document: Document.Parsed, at: number): number {
  const starts: number[] = [];
  visit(document, {
    Node(_, node) {
      const isOpen = isScalar(node)
        ? String(node.type).startsWith("QUOTE")
        : isCollection(node) && node.flow === true;
      const [start, end] = node.range ?? [at, at];
      if (isOpen && start < at && end >= at - 1) {
        starts.push(start);
      }
    },
  });
  return Math.max(...(starts.length > 0 ? starts : [at]));
}

/** Of a line that people read; keys and words of a text have any length. */
const mostCharacters = 300;

/** A part of a line would be no line to write. */
const clipped = ({ write = "", ...problem }: Problem): Problem => ({
  ...problem,
  problem: clip(problem.problem, mostCharacters),
  ...(write === "" || write.length > mostCharacters ? {} : { write }),
});

/**
 * The value of a YAML text, or one problem for each line with an error.
 * @param wantsText - whether a word is right as the text at a path. Default: none is.
 */
export function readYaml(
  text: string,
  wantsText?: (path: readonly PropertyKey[], source: string) => boolean,
): { readonly value: unknown } | { readonly problems: readonly Problem[] } {
  // As Pulumi reads it: gopkg.in/yaml.v3 v3.0.1 resolves merge keys (decode.go, isMerge).
  const document = yamlDocument(text, { prettyErrors: false, merge: true });
  const problems = problemsOf(text, document);
  if (problems.length > 0) {
    return { problems: problems.map(clipped) };
  }
  const readOtherwise = goScalars(document, wantsText);
  if (readOtherwise.length > 0) {
    return {
      problems: readOtherwise.slice(0, mostErrors).map((scalar) => clipped(scalarProblem(text, scalar))),
    };
  }
  const plain = plainYaml(document, mostValues);
  return "fault" in plain
    ? { problems: [{ path: place(text, aliasAt(document)), ...aliasWords[plain.fault] }] }
    : plain;
}

/** Later ones are mostly consequences of earlier ones. */
const mostErrors = 50;

/** The problems of a text that is not YAML, one for each line. */
function problemsOf(text: string, document: Document.Parsed): Problem[] {
  const faults = [
    ...document.errors.slice(0, mostErrors).map(({ code, message, pos: [at] }): Fault => {
      // The parser reports an open bracket where the next line is less indented than its mapping.
      if (code === "MISSING_CHAR" || message.startsWith("Flow ")) {
        return { code: "MISSING_CHAR", at: openedAt(document, at) };
      }
      const further = code === "BLOCK_AS_IMPLICIT_KEY" ? indentedFurther(text, at) : undefined;
      return further === undefined ? { code, at } : { code: "BAD_INDENT", at: further, foundAt: at };
    }),
    ...present<Fault>(
      document.directives.yaml.explicit === true && { code: "BAD_DIRECTIVE", at: text.search(/^%YAML/m) },
    ),
  ];
  const lineOf = ({ at }: Fault): number => linesUpTo(text, at).length;
  // A missing bracket makes the indentation wrong, too.
  const byCause = [
    ...faults.filter(({ code }) => code === "MISSING_CHAR"),
    ...faults.filter(({ code }) => code !== "MISSING_CHAR"),
  ];
  return byCause
    .filter((fault, index) => byCause.findIndex((other) => lineOf(other) === lineOf(fault)) === index)
    .filter((fault) => !byCause.some(({ foundAt }) => foundAt === fault.at))
    .sort((a, b) => a.at - b.at)
    .map((fault) => problemOf(text, fault));
}
