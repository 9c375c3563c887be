import { styleText } from "node:util";
import type { Severity } from "../impact/impact";

/** Colours for a terminal; elsewhere, and with NO_COLOR, reports are plain text. */

/** Node.js reads NO_COLOR, FORCE_COLOR and TERM for a terminal. */
export const hasColours = (stream: NodeJS.WriteStream): boolean => stream.isTTY && stream.hasColors();

type Style = Parameters<typeof styleText>[0];

export type Paint = (style: Style, text: string) => string;

/** @param colour - whether the output has colours; see hasColours */
export const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text;

export const severityStyles: Readonly<Record<Severity, Style>> = {
  refused: ["bold", "red"],
  destroys: ["bold", "red"],
  replaces: "magenta",
  rolls: "yellow",
  changes: "cyan",
  metadata: "gray",
};
