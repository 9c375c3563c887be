/** Texts in which characters stand as other signs. */

/** A text as a program reads it. */
export interface Reading {
  readonly text: string;
  /** The same with its quotes, by which the end of a value is found. */
  readonly quoted: string;
  /** Where a character stands in the text itself. */
  readonly placeOf: (index: number) => number;
}

/** The characters that URLs, JSON, shells and HTML write in other signs, also twice. */
const escaped =
  /%(?:25)?([2-7][\da-f])|\\{1,4}u00([2-7][\da-f])|\\{1,4}x([2-7][\da-f])|&#x([2-7][\da-f]);|&#(\d{2,3});|&(quot|apos|amp);/gi;
const named: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&" };

function characterOf([, ...digits]: readonly (string | undefined)[]): string {
  const [hex, code, name] = [digits.slice(0, 4).join(""), digits[4] ?? "", digits[5] ?? ""];
  return (
    named[name.toLowerCase()] ?? String.fromCharCode(hex === "" ? Number(code) : Number.parseInt(hex, 16))
  );
}

/** The text with these characters, if there are any. */
export function decodedReading(text: string): Reading | undefined {
  let decoded = "";
  const places: number[] = [];
  let from = 0;
  const take = (piece: string, placeOf: (index: number) => number): void => {
    for (let index = 0; index < piece.length; index += 1) {
      places.push(placeOf(index));
    }
    decoded += piece;
  };
  for (const match of text.matchAll(escaped)) {
    const start = from;
    take(text.slice(start, match.index), (index) => start + index);
    take(characterOf(match), () => match.index);
    from = match.index + match[0].length;
  }
  if (from === 0) {
    return undefined;
  }
  take(text.slice(from), (index) => from + index);
  return { text: decoded, quoted: decoded, placeOf: (index) => places[index] ?? text.length };
}
