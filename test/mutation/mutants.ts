import { readFileSync } from "node:fs";
import { join } from "node:path";

/** One thing that is broken on purpose. Its text occurs exactly once in the file. */
export interface Mutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** What would go wrong with it. */
  readonly breaks: string;
}

const codeOf = (cell = ""): string => cell.replace(/\\(.)/g, (_, of: string) => (of === "n" ? "\n" : of));

/**
 * In mutants.txt, a paragraph is a file and its mutants: the text, what takes its place, and what breaks. \n is a new line, and
 * \\ a backslash.
 */
export const mutants: readonly Mutant[] = readFileSync(join(__dirname, "mutants.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .flatMap((paragraph) => {
    const [file = "", ...rows] = paragraph.split("\n");
    return rows.map((row) => {
      const [from, to, breaks = ""] = row.split(" | ");
      return { file, from: codeOf(from), to: codeOf(to), breaks };
    });
  });

/** The text of a file with the mutant applied. */
export const mutated = ({ from, to }: Pick<Mutant, "from" | "to">, text: string): string =>
  text.replace(from, () => to);
