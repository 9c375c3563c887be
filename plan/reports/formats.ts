import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname } from "node:path";
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

/** Loaded when one is wanted: most plans are for a terminal. */
const load = createRequire(__filename);

/** @param text - with colours or without; what is printed of a single plan has more than a report knows */
export function formatReport(
  reports: readonly StackReport[],
  format: Format,
  text: (colour: boolean) => string,
): string {
  switch (format) {
    case "text":
      return text(false);
    case "markdown":
      return (load("./markdown/markdownReport") as typeof markdownModule).markdownReport(reports);
    case "json":
      return `${JSON.stringify((load("./json") as typeof jsonModule).reportJson(reports), null, 2)}\n`;
    case "html":
      return (load("./html/page") as typeof pageModule).htmlReport(reports);
  }
}

/** Writes beside the place first, so an interrupted run leaves an older report whole. */
export function writeReport(file: string, content: string): void {
  const fresh = `${file}.${process.pid}.tmp`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(fresh, content);
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true });
  }
}
