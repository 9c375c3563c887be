import { clip, visibleText as visible } from "capz-windows-kit/visible";
import type { PropertyChange } from "../compare/stackDiff";

/** A value on one line. */
export function showValue(value: unknown, max = 300): string {
  const text = typeof value === "string" && !/[\n\r]/.test(value) ? value : JSON.stringify(value);
  return clip(visible(text === "" ? '""' : text).replaceAll("\n", "\\n"), max);
}

/**
 * The beginning of a long diff; says how much is missing.
 * @param hint where the rest is
 */
export function firstLines(lines: readonly string[], max: number, width: number, hint = ""): string[] {
  const kept = lines.slice(0, max).map((line) => clip(visible(line).replaceAll("\n", "\\n"), width));
  return lines.length > max ? [...kept, `… ${lines.length - max} more lines${hint}`] : kept;
}

/**
 * The number of lines of a text that is new or gone as a whole and has more than `most` of them: to read such a text as
 * a diff says nothing. `undefined` for every other change.
 */
export function wholeLines(change: PropertyChange, most: number): number | undefined {
  const isWhole = change.text !== undefined && "before" in change !== "after" in change;
  const lines = change.text?.filter((line) => !line.startsWith("@@")).length ?? 0;
  return isWhole && lines > most ? lines : undefined;
}

/** The lines of a diff that show one property: a heading, and the value in the base and in the head. */
export function propertyLines(
  change: PropertyChange,
  { lines = 60, width = 300 }: { readonly lines?: number; readonly width?: number } = {},
): string[] {
  const head = `@@ ${showValue(change.path, width)} @@`;
  const whole = wholeLines(change, lines);
  if (whole !== undefined) {
    return [head, "before" in change ? `- ${whole} lines` : `+ ${whole} lines`];
  }
  if (change.text !== undefined) {
    return [head, ...firstLines(change.text, lines, width)];
  }
  return [
    head,
    ...("before" in change ? [`- ${showValue(change.before, width)}`] : []),
    ...("after" in change ? [`+ ${showValue(change.after, width)}`] : []),
  ];
}
