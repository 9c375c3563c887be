import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isRecord } from "capz-windows-kit/untyped";
import { existingManagement, minimal } from "../support/stacks";
import { privateStack } from "../support/networks";
import { type Change, type Reply, skus } from "./armStandIn";

/**
 * Stacks and what Azure answers, as paragraphs of cases/, each with its name and:
 *
 *     stack YAML                    what the stack has beside those of every test
 *     existing management           ... with a management cluster of others
 *     private stack                 ... whose API server is private; `private management`: and the management cluster is of others
 *     PATTERN | YAML or 404 CODE    the answer to requests for such paths; `{3 times}` are three empty mappings
 *     size NAME | YAML              other properties of a VM size; `capability NAME VALUE`: of all sizes
 *     rows PATTERN                  which rows of the report count
 *     * ROW                         such a row, and below it its remedies, unless it has none in the paragraph
 *     = PATTERN                     a row that is among others, with `> PATTERN` of a remedy; `= nothing`: all is well
 *
 * The first paragraph holds for all of a file: mappings are merged, and null removes a key. `let NAME = TEXT` defines $NAME.
 */
export interface Case {
  readonly name: string;
  readonly more: Record<string, unknown>;
  readonly change: Change;
  readonly rows: RegExp;
  /** Whole rows, each with its remedies. */
  readonly exact: readonly (readonly string[])[];
  readonly found: RegExp | undefined;
  readonly remedy: RegExp | undefined;
}

type Json = Record<string, unknown>;

function merged(base: unknown, patch: unknown): unknown {
  if (!isRecord(base) || !isRecord(patch)) {
    return patch;
  }
  const all = {
    ...base,
    ...Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, merged(base[key], value)])),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

const inDays = (days: number): string => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString();

const valueOf = (text: string): unknown =>
  parse(
    text
      .replace(/\{(\d+) times\}/g, (_, count: string) =>
        Array.from({ length: Number(count) }, () => "{}").join(", "),
      )
      .replace(/\{in (\d+) days\}/g, (_, days: string) => inDays(Number(days))),
  );

const bases: Readonly<Record<string, () => Json>> = {
  "existing management": () => existingManagement,
  "private stack": privateStack,
  "private management": () => {
    const { network, ...rest } = privateStack() as { network: Json };
    return { ...rest, network: { ...network, apiServer: {} } };
  },
};

/** An answer of Azure: the refusal, or what replaces a part of an earlier answer. */
type Answer = { readonly refused: Reply } | { readonly body: unknown };

function answerOf(text: string): Answer {
  const [, status, code = "", message = code] = /^(\d{3}) (\w+)(?: (.*))?$/.exec(text) ?? [];
  return status === undefined
    ? { body: valueOf(text) }
    : { refused: { status: Number(status), body: { error: { code, message } } } };
}

const sizes = (change: (size: (typeof skus)[number]) => object): Answer => ({
  body: { value: skus.map((size) => ({ ...size, ...change(size) })) },
});

/** The answer that a line describes, and for which paths. */
function answerOfLine(line: string): readonly [pattern: string, answer: Answer] | undefined {
  const [head = "", text = ""] = line.split(/ \| (.*)/s);
  const [form, name = "", value = ""] = head.split(" ");
  if (form === "size") {
    return ["/skus$", sizes((size) => (size.name === name ? (valueOf(text) as Json) : {}))];
  }
  if (form === "capability") {
    const others = ({ capabilities }: (typeof skus)[number]) =>
      (capabilities as { name: string }[]).filter((one) => one.name !== name);
    return ["/skus$", sizes((size) => ({ capabilities: [...others(size), { name, value }] }))];
  }
  return text === "" ? undefined : [head, answerOf(text)];
}

/** The last answer whose pattern a path has, completed by those of the same pattern before it. */
function changeOf(lines: readonly string[]): Change {
  const answers = new Map<string, Answer>();
  for (const [pattern, answer] of lines.flatMap((line) => [answerOfLine(line) ?? []].filter(isAnswer))) {
    const before = answers.get(pattern);
    const isPatch = before !== undefined && "body" in before && "body" in answer;
    answers.delete(pattern);
    answers.set(pattern, isPatch ? { body: merged(before.body, answer.body) } : answer);
  }
  const all = [...answers].reverse().map(([pattern, answer]) => [new RegExp(pattern), answer] as const);
  return (_, { pathname }) => {
    const path = decodeURIComponent(pathname);
    const [, answer] = all.find(([pattern]) => pattern.test(path)) ?? [];
    return answer && ("refused" in answer ? answer.refused : { body: answer.body });
  };
}

const isAnswer = (entry: readonly unknown[]): entry is readonly [string, Answer] => entry.length === 2;

function caseOf(name: string, lines: readonly string[]): Case {
  const after = (mark: string): string[] =>
    lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  const base = lines.flatMap((line) => bases[line]?.() ?? []).at(-1) ?? {};
  const more = after("stack ").reduce<unknown>((whole, text) => merged(whole, valueOf(text)), base) as Json;
  const azure = isRecord(more.azure) ? { azure: merged(minimal().azure, more.azure) } : {};
  const exact: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("* ")) {
      exact.push([line.slice(2)]);
    } else if (line.startsWith("  ")) {
      exact.at(-1)?.push(line.slice(2));
    }
  }
  const [found, remedy] = [after("= ")[0], after("> ")[0]];
  return {
    ...{ name, exact, more: { ...more, ...azure }, rows: new RegExp(after("rows ").at(-1) ?? "") },
    change: changeOf(lines.filter((line) => !/^(?:rows|stack|[*=>]| ) ?/.test(line))),
    found: found === undefined ? undefined : new RegExp(found),
    remedy: remedy === undefined ? undefined : new RegExp(remedy),
  };
}

function casesOf(text: string): Case[] {
  const [first = "", ...paragraphs] = text.trimEnd().split("\n\n");
  const names = new Map<string, string>();
  const filled = (line: string): string =>
    line.replace(/\$(\w+)/g, (all, name: string) => names.get(name) ?? all);
  const common: string[] = [];
  for (const line of first.split("\n")) {
    const [, name, value = ""] = /^let (\w+) = (.*)$/.exec(line) ?? [];
    if (name === undefined) {
      common.push(filled(line));
    } else {
      names.set(name, value);
    }
  }
  return paragraphs.map((paragraph) => {
    const [name = "", ...lines] = paragraph.split("\n");
    return caseOf(name, [...common, ...lines.map(filled)]);
  });
}

const dir = join(__dirname, "cases");

export const cases: readonly Case[] = readdirSync(dir).flatMap((file) =>
  casesOf(readFileSync(join(dir, file), "utf8")),
);
