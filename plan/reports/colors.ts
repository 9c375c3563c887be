import { styleText } from "node:util";
import type { Severity } from "../impact/impact";

/** Colors for a terminal; elsewhere, and with NO_COLOR, reports are plain text. */

/** Node.js reads NO_COLOR, FORCE_COLOR and TERM for a terminal. */
export const hasColors = (stream: NodeJS.WriteStream): boolean => stream.isTTY && stream.hasColors();

type Style = Parameters<typeof styleText>[0];

export type Paint = (style: Style, text: string) => string;

/** @param color - whether the output has colors; see hasColors */
export const painter =
  (color: boolean): Paint =>
  (style, text) =>
    color ? styleText(style, text, { validateStream: false }) : text;

export const severityStyles: Readonly<Record<Severity, Style>> = {
  refused: ["bold", "red"],
  destroys: ["bold", "red"],
  replaces: "magenta",
  rolls: "yellow",
  changes: "cyan",
  metadata: "gray",
};
