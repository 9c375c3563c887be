import { styleText } from "node:util";

/** Text for a terminal; files, logs and pipes get the same text without colors and with a fixed width. */

/** Whether a stream is a terminal with colors; Node.js considers NO_COLOR, FORCE_COLOR and TERM. */
export const hasColors = (stream: NodeJS.WriteStream): boolean => stream.isTTY && stream.hasColors();

export type Style = Parameters<typeof styleText>[0];

export type Paint = (style: Style, text: string) => string;

/** @param color - whether the output has colors; see hasColors */
export const painter =
  (color: boolean): Paint =>
  (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;

/** Characters of a line in files, and on a terminal that does not report its width. */
export const defaultWidth = 100;

/** Longer lines are hard to read. */
const widest = 120;

const narrowest = 60;

/** Characters of a line on a terminal: its width, within limits. */
export const widthOf = ({ columns }: { readonly columns?: number | undefined }): number =>
  Math.min(widest, Math.max(narrowest, columns ?? defaultWidth));

/** Breaks a text at spaces into lines of at most `width` characters; a longer word has its own line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length > width && line !== "") {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}

const clearLine = "\r\u001b[2K";

/** One line that says what is going on, rewritten in place on a terminal. */
export function progressLine(stream: NodeJS.WriteStream) {
  const live = stream.isTTY;
  let last = "";
  return {
    show: (text: string): void => {
      if (live && text !== last) {
        // The rest of a longer text would wrap to the next line, which would not be cleared.
        stream.write(`${clearLine}${text.slice(0, stream.columns - 1)}`);
      } else if (text.split(":")[0] !== last.split(":")[0]) {
        // In a log, only the beginning of each phase.
        stream.write(`${text}\n`);
      }
      last = text;
    },
    end: (): void => {
      if (live && last !== "") {
        stream.write(clearLine);
      }
    },
  };
}

/** A progress line that prints nothing. */
export const silentLine: ReturnType<typeof progressLine> = { show: () => undefined, end: () => undefined };
