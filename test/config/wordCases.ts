import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keysOf, nodeAt } from "../../config/jsonSchema";

/**
 * Keys and values in other words. In words/, a paragraph is a mistake: what it is, `-` what is written, `+` what was meant,
 * `without` keys of the smallest stack file, and the answers: PATH: PROBLEM, and below it ALLOWED | WRITE.
 */

export type Case = [
  what: string,
  wrong: string,
  right: string,
  answers: readonly string[],
  without?: string[],
];

const dir = join(__dirname, "words");
const listOf = (path: string): string => keysOf(nodeAt(path.split("."))).join(", ");

function caseOf(paragraph: string): Case {
  const [what = "", ...lines] = paragraph
    .trimEnd()
    .replace(/\{keys of ([\w.]+)\}/g, (_, path: string) => listOf(path))
    .split("\n");
  const after = (start: string): string[] =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  const answers = lines.filter((line) => !/^(?:[-+]|without) /.test(line));
  return [
    ...([what, after("- ").join("\n"), after("+ ").join("\n")] as const),
    answers.flatMap((line) => (line.startsWith("  ") ? line.slice(2).split(" | ") : [line])),
    after("without ").flatMap((keys) => keys.split(", ")),
  ];
}

export const wordCases: readonly Case[] = readdirSync(dir)
  .sort()
  .flatMap((file) => readFileSync(join(dir, file), "utf8").split("\n\n").slice(1).map(caseOf));
