import { readdirSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { isRecord } from "capz-windows-kit/untyped";
import { readText } from "../architecture/sources";
import { projectDir } from "../support/projectDir";

/** The examples in documents: code blocks and commands. */

export const documents = [
  "AGENTS.md",
  "README.md",
  "CONTRIBUTING.md",
  ...["docs", "docs/workloads"].flatMap((folder) =>
    readdirSync(join(projectDir, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];

const tokensOf = (document: string) => new MarkdownIt().parse(readText(document), {});

/** The code blocks of one language in a document. */
export const blocksOf = (document: string, language: string): string[] =>
  tokensOf(document)
    .filter(({ type, info }) => type === "fence" && info.trim() === language)
    .map(({ content }) => content);

/** The code in the running text of a document. */
export const spansOf = (document: string): string[] =>
  tokensOf(document)
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === "code_inline")
    .map(({ content }) => content);

/** Every npm command in code blocks and in running text, without comments. */
export function npmCommands(document: string): string[] {
  const lines = blocksOf(document, "sh").flatMap((block) => block.replaceAll("\\\n", " ").split("\n"));
  return [...lines, ...spansOf(document)]
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .flatMap((line) => /(?:^|\s)(npm (?:run|start|test)\b.*)$/.exec(line)?.[1] ?? []);
}

type Raw = Readonly<Record<string, unknown>>;

/** A complete config with the values of an example; mappings are merged. */
export function merged(base: Raw, change: Raw): Raw {
  const keys = [...new Set([...Object.keys(base), ...Object.keys(change)])];
  return Object.fromEntries(
    keys.map((key) => {
      const [before, after] = [base[key], change[key]];
      return [
        key,
        isRecord(before) && isRecord(after) ? merged(before, after) : key in change ? after : before,
      ];
    }),
  );
}
