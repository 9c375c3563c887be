/** How wide text is, without a browser: estimates for common sans-serif fonts that are rather too large. */

const narrow = /[iljtfrI.,:;'|!()[\]{}/\\ `-]/;
const wide = /[mwMW@%—…×]/;
const capital = /[A-Z_#&+=<>~]/;

/** Share of the font's size. */
const share = (character: string): number =>
  narrow.test(character)
    ? 0.4
    : wide.test(character)
      ? 1
      : capital.test(character)
        ? 0.72
        : (character.codePointAt(0) ?? 0) > 0x2e7f
          ? 1.1
          : 0.6;

/** Pixels. */
export const textWidth = (text: string, size: number, bold = false): number =>
  Array.from(text).reduce((sum, character) => sum + share(character), 0) * size * (bold ? 1.08 : 1);

/** After these a name may go on in the next line, but never within a number. */
const breakable = /(?<=[\s\-_,@]|[.:/](?!\d))/;

/**
 * The lines of a text that is at most `width` wide; broken between words, in names after their punctuation, and
 * anywhere when nothing else helps. What is longer than `max` lines ends in an ellipsis.
 */
export function wrap(text: string, width: number, size: number, { bold = false, max = 4 } = {}): string[] {
  const fits = (line: string): boolean => textWidth(line.trimEnd(), size, bold) <= width;
  const lines: string[] = [];
  let line = "";
  for (const part of text.split(breakable)) {
    if (fits(line + part)) {
      line += part;
      continue;
    }
    if (line !== "") {
      lines.push(line.trimEnd());
      line = "";
    }
    for (const character of part) {
      if (line !== "" && !fits(line + character)) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  lines.push(line.trimEnd());
  if (lines.length <= max) {
    return lines;
  }
  let last = lines[max - 1] ?? "";
  while (last !== "" && !fits(`${last}…`)) {
    last = Array.from(last).slice(0, -1).join("");
  }
  return [...lines.slice(0, max - 1), `${last}…`];
}
