import { structuredPatch } from "diff";

/** The time for a diff follows from the square of the lines that differ: with so many, from the number of all lines. */
const mostEdits = (lines: number): number => Math.ceil(Math.sqrt(200 * lines));

/** All lines of both sides, of long texts that have little in common. */
const replacedLines = (gone: readonly string[], added: readonly string[]): string[] => [
  `@@ -1,${gone.length} +1,${added.length} @@`,
  ...gone.map((line) => `-${line}`),
  ...added.map((line) => `+${line}`),
];

/** Shorter texts are shown as a whole. */
const longString = 160;

export const isText = (value: unknown): boolean =>
  typeof value === "string" && (value.includes("\n") || value.length > longString);

/** The lines of a unified diff with three lines of context, without its file header; none for equal texts. */
export function textDiff(before: string, after: string): string[] {
  if (![before, after].some((text) => text.includes("\n"))) {
    // Texts of one line need no header of a hunk.
    return before === after
      ? []
      : [...(before === "" ? [] : [`-${before}`]), ...(after === "" ? [] : [`+${after}`])];
  }
  const [gone, added] = [before.split("\n"), after.split("\n")];
  const limits = { context: 3, maxEditLength: mostEdits(gone.length + added.length) };
  const patch = structuredPatch("", "", before, after, undefined, undefined, limits);
  if (patch === undefined) {
    return replacedLines(gone, added);
  }
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}
