import { createRequire } from "node:module";
import { extname } from "node:path";
import type * as pageModule from "./html/page";
import type * as jsonModule from "./json";
import type * as markdownModule from "./markdown/markdownReport";
import type { StackReport } from "./stackReport";

export const formats = ["text", "markdown", "json", "html"] as const;
export type Format = (typeof formats)[number];

const endings: Readonly<Record<string, Format>> = {
  ".txt": "text",
  ".md": "markdown",
  ".json": "json",
  ".html": "html",
};

export const formatOfFile = (file: string): Format | undefined => endings[extname(file)];

/** Loads a format only when it is used, because most plans are for a terminal. */
const load = createRequire(__filename);

/** Every format but text, which needs more than a report has. */
export function formatReport(reports: readonly StackReport[], format: Exclude<Format, "text">): string {
  switch (format) {
    case "markdown":
      return (load("./markdown/markdownReport") as typeof markdownModule).markdownReport(reports);
    case "json":
      return `${JSON.stringify((load("./json") as typeof jsonModule).reportJson(reports), null, 2)}\n`;
    case "html":
      return (load("./html/page") as typeof pageModule).htmlReport(reports);
  }
}
