/**
 * What nobody sees: control characters, marks that turn the direction of text, tags and fillers without a width. With them a value
 * controls a terminal, passes for another one, or has a text that only a program reads. Tab and newline are no such characters, and
 * an emoji may have its variation selector.
 */
export const hidden =
  /(?![\t\n\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?<!\p{Extended_Pictographic})\ufe0f/gu;

/** As JSON writes a character, so that a document stays what it is: an astral one has two escapes. */
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");

export const hasHidden = (text: string): boolean => text.search(hidden) !== -1;

/** The text with hidden characters as escapes. */
export const shown = (text: string): string => text.replace(/\r\n/g, "\n").replace(hidden, escaped);

/** The same of a text in a report for people: `\u{202e}`. A lone carriage return is the end of a line. */
export const visibleText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    // A lone half of a pair is no character.
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

/** A value on one line of a terminal: a newline in it is ⏎. */
export const visible = (value: string): string => shown(value).replaceAll("\n", "⏎");

/** At most `max` UTF-16 units, never half a character, and how much is missing; all where that is no longer. */
export function clip(text: string, max: number): string {
  const kept = text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
  const note = ` … (${text.length - kept.length} more characters)`;
  return text.length <= Math.max(max, kept.length + note.length) ? text : `${kept}${note}`;
}

/** As many messages of kubelet and of containers have. Patterns need the square of the time for a longer text. */
export const mostOfMessage = 4_096;

/** The beginning and the end of a message, where its kind and its reason are; all where that is no longer. */
export const withoutMiddle = (text: string, max = mostOfMessage): string =>
  text.length <= max
    ? text
    : `${text.slice(0, max / 2 - 40)}\n(${text.length - max + 80} characters left out)\n${text.slice(40 - max / 2)}`;

/** Characters of a line that people copy; a value in a command has less than 1,000. */
export const mostOfRemedy = 10_000;

/** A value of a stranger in a line of a report. What is cut is not looked at, because it may have many megabytes. */
export function oneLine(value: string, max = 1_000): string {
  const text = clip(visible(value.slice(0, max)).replaceAll("\t", " "), max);
  return value.length <= max ? text : `${text} … (${value.length - max} more characters)`;
}
