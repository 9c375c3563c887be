import { code, escaped, oneLine } from "capz-windows-kit/markdown";
import { sourceParts } from "../sources";

/** Texts of this program inside GitHub's Markdown, with code, links and addresses. */

/** A URL is a code span, which can be copied. */
const withAddresses = (part: string): string =>
  part
    .split(/(https?:\/\/[^\s)<>,;]+)/)
    .map((text, index) => (index % 2 === 1 ? code(text) : escaped(text)))
    .join("");

/** The same with code spans, for this program's own texts, which mark commands and fields with backticks. */
export function marked(text: string, max = 1_000): string {
  const line = oneLine(text, max);
  const parts = line.split("`");
  // Two spans with nothing between them would become one.
  const apart = parts.slice(1, -1).every((part) => part.trim() !== "");
  return parts.length % 2 === 1 && apart
    ? parts.map((part, index) => (index % 2 === 1 ? code(part, Infinity) : withAddresses(part))).join("")
    : escaped(line);
}

/** The source of a rule, with its links. */
export const sourceText = (source: string): string =>
  sourceParts(oneLine(source, 500))
    .map(({ text, url }) => (url === undefined ? escaped(text) : `[${escaped(text)}](${url})`))
    .join("");
