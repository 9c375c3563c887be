import { wrapped } from "../../../io/terminal";

/** Columns of text for a terminal or a log. */

/** A line that people copy, so it is never wrapped. */
export interface Command {
  readonly command: string;
}

/** The texts about one subject, each on its own line. */
export interface Row {
  readonly label: string;
  readonly lines: readonly (string | Command)[];
}

export const row = (label: string, ...lines: Row["lines"]): Row => ({ label, lines });

export const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(", ");

/** Longer labels have a line of their own. */
const widestLabel = 24;

const margin = "  ";

/** Labels in one column, texts in another. */
export function rowLines(rows: readonly Row[], width: number): string[] {
  const fits = rows.map(({ label }) => label.length).filter((length) => length <= widestLabel);
  const indent = Math.max(0, ...fits) + 2;
  return rows.flatMap(({ label, lines }) => {
    const texts = lines.flatMap((line) =>
      typeof line === "string" ? wrapped(line, width - margin.length - indent) : [line.command],
    );
    const first = label.length > widestLabel ? [label] : [];
    return [
      ...first.map((text) => margin + text),
      ...texts.map(
        (text, index) => `${margin}${(index === 0 && first.length === 0 ? label : "").padEnd(indent)}${text}`,
      ),
    ];
  });
}
