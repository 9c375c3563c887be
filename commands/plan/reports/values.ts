import type { PropertyChange } from "../compare/stackDiff";

/**
 * Control characters, line separators and the marks that turn the direction of text: with them a value
 * could disguise itself or control a terminal. Tab and newline stay.
 */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The text with invisible characters as escapes: `\u{202e}`. */
export const visible = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    // A lone half of a pair is no character.
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

/** At most `max` UTF-16 units, never half a character; says how much is missing. */
export function clip(text: string, max: number): string {
  if (text.length <= max) {
    return text;
  }
  const kept = text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
  return `${kept} … (${text.length - kept.length} more characters)`;
}

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
