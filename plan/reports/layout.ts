import { wrapped } from "capz-windows-kit/io/terminal";
import { visibleText } from "capz-windows-kit/visible";

/** Columns of text for a terminal or a log. */

/** A line that people copy, so it is never wrapped. */
export interface Command {
  readonly command: string;
}

/** The texts about one subject, each on its own line. */
export interface ReportRow {
  readonly label: string;
  readonly lines: readonly (string | Command)[];
}

/** What there is nothing to say of is left out. */
type Said = ReportRow["lines"][number] | false | undefined;

const isText = (line: Said): line is ReportRow["lines"][number] => Boolean(line);

export const row = (label: string, ...lines: readonly Said[]): ReportRow => ({
  label,
  lines: lines.filter(isText),
});

/** The rows that say something. */
export const said = (...rows: readonly ReportRow[]): ReportRow[] =>
  rows.filter(({ lines }) => lines.length > 0);

export const copied = (commands: readonly (string | undefined)[]): Command[] =>
  commands.flatMap((command) => (command === undefined ? [] : { command }));

export const joined = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter(Boolean).join(", ");

const prefixOf = (cidr: string): number => Number(cidr.split("/")[1] ?? 32);

/** Address ranges; of many the widest ones, because those say who may come. */
export function rangesText(cidrs: readonly string[], most = 12): string {
  if (cidrs.length <= most) {
    return cidrs.join(", ");
  }
  const widest = [...cidrs].sort((a, b) => prefixOf(a) - prefixOf(b)).slice(0, most);
  return `${widest.join(", ")} and ${cidrs.length - most} more, none of them wider`;
}

/** Longer labels have a line of their own. */
const widestLabel = 24;

const margin = "  ";

/** What a report says, on one line: a newline in a value would begin a line, or a section, of its author. */
export const inLine = (text: string): string => visibleText(text).replaceAll("\n", "⏎");

/** The lines of a text, broken only for the width. */
export const wrappedLine = (text: string, width: number): string[] => wrapped(inLine(text), width);

/** Lines of running text below a title. */
export const paragraph = (text: string, width: number): string[] =>
  wrappedLine(text, width - margin.length).map((line) => margin + line);

/** Labels in one column, texts in another. */
export function rowLines(given: readonly ReportRow[], width: number): string[] {
  const rows = given.map(({ label, lines }) => ({ label: inLine(label), lines }));
  const fits = rows.map(({ label }) => label.length).filter((length) => length <= widestLabel);
  const indent = Math.max(0, ...fits) + 2;
  return rows.flatMap(({ label, lines }) => {
    const texts = lines.flatMap((line) =>
      typeof line === "string" ? wrappedLine(line, width - margin.length - indent) : [inLine(line.command)],
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
