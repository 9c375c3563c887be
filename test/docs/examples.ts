import { readdirSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { isRecord } from "../../domain/untyped";
import { readText } from "../architecture/sources";
import { projectDir } from "../support/projectDir";

/** What documents show: blocks of code, and commands. */

export const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ...["docs", "docs/workloads"].flatMap((folder) =>
    readdirSync(join(projectDir, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];

const tokensOf = (document: string) => new MarkdownIt().parse(readText(document), {});

/** The blocks of one language, wherever they are. */
export const blocksOf = (document: string, language: string): string[] =>
  tokensOf(document)
    .filter(({ type, info }) => type === "fence" && info.trim() === language)
    .map(({ content }) => content);

/** Every command with npm in blocks and in running text, without what a comment says of it. */
export function npmCommands(document: string): string[] {
  const spans = tokensOf(document)
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === "code_inline")
    .map(({ content }) => content);
  const lines = blocksOf(document, "sh").flatMap((block) => block.replaceAll("\\\n", " ").split("\n"));
  return [...lines, ...spans]
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .flatMap((line) => /(?:^|\s)(npm (?:run|start|test)\b.*)$/.exec(line)?.[1] ?? []);
}

type Raw = Readonly<Record<string, unknown>>;

/** What an example says, over a config that is complete without it; mappings are merged. */
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
