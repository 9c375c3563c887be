import { structuredPatch } from "diff";

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
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 3 });
  return hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}
