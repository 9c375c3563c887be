import { clip, visibleText as visible } from "./visible";

/**
 * Untrusted text inside GitHub's Markdown: it must not format, link, mention or refer to anything, and must not break
 * out of its place. All functions below return Markdown that renders as exactly the given text.
 */

/** U+2060 has no width: it removes the meaning of a character and keeps its look. */
export const joiner = "\u2060";

export const oneLine = (text: string, max: number): string =>
  clip(visible(text), max).replace(/\s+/g, " ").trim();

/** A part of a line. */
export const escaped = (part: string): string =>
  part
    .replace(/[\\`*_{}[\]()<>#!|~&^$]/g, "\\$&")
    .replace(/@/g, `${joiner}@`)
    .replace(/[@#]|:(?=\/\/)|\/(?=\/)|(mailto|xmpp)(?=:)|www(?=\.)|gh(?=-\d)/gi, `$&${joiner}`);

/**
 * Running text, for the middle of a line. Besides Markdown's own characters these get no meaning: `@name` (a mention),
 * `#1` and `GH-1` (a reference that the other thread shows), web and mail addresses.
 */
export const prose = (text: string, max = 1_000): string => escaped(oneLine(text, max));

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A value in a line, never cut with `Infinity`, as commands: a code span, in which GitHub looks for nothing. */
export function code(text: string, max = 300): string {
  const shown = oneLine(text, max);
  if (shown === "") {
    return '`""`';
  }
  const ticks = "`".repeat(longestRun(shown) + 1);
  const space = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${ticks}${space}${shown}${space}${ticks}`;
}

/** A value in a cell of a table, where the table is read before the code in it. */
export const cell = (text: string): string => code(text).replaceAll("|", "\\|");

/** A block of code; its fence is longer than any inside. */
export function fenced(lines: readonly string[], language = ""): string {
  const text = visible(lines.join("\n"));
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}\n`;
}

export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

/** This program's own words with a link to a page; an address that is none of the web is a value. */
export const linkTo = (words: string, url: string): string =>
  isWebAddress(url)
    ? `[${words}](${new URL(url).href.replace(/[()<>\\]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)})`
    : `${words}: ${code(url)}`;
