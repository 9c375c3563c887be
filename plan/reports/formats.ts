import { createRequire } from "node:module";
import { extname } from "node:path";
import { shown } from "capz-windows-kit/visible";
import type * as pageModule from "./html/page";
import type * as jsonModule from "./json";
import type * as imagesModule from "./images";
import type * as annotationsModule from "./annotations";
import type * as markdownModule from "./markdown/markdownReport";
import type * as sarifModule from "./sarif";
import type { StackReport } from "./stackReport";

export const formats = ["text", "markdown", "json", "html", "images", "sarif", "github"] as const;
export type Format = (typeof formats)[number];

const endings: Readonly<Record<string, Format>> = {
  ".txt": "text",
  ".md": "markdown",
  ".json": "json",
  ".html": "html",
  ".sarif": "sarif",
};

export const formatOfFile = (file: string): Format | undefined => endings[extname(file)];

/** Loads a format only when it is used, because most plans are for a terminal. */
const load = createRequire(__filename);

/** What only says what is found in stack files, so that a wrong one has it too. */
export const isOfFindings = (format: Format): boolean => format === "sarif" || format === "github";

/** Every format but text, which needs more than a report has. */
export function formatReport(reports: readonly StackReport[], format: Exclude<Format, "text">): string {
  const findings = reports.flatMap(({ findings: found = [] }) => found);
  switch (format) {
    case "sarif":
      return shown(`${JSON.stringify((load("./sarif") as typeof sarifModule).sarif(findings), null, 2)}\n`);
    case "github":
      return (load("./annotations") as typeof annotationsModule).githubAnnotations(findings);
    case "markdown":
      return (load("./markdown/markdownReport") as typeof markdownModule).markdownReport(reports);
    case "json":
      return shown(`${JSON.stringify((load("./json") as typeof jsonModule).reportJson(reports), null, 2)}\n`);
    case "images":
      return reports
        .filter(({ plan }) => plan !== undefined)
        .map((load("./images") as typeof imagesModule).imagesText)
        .join("");
    case "html":
      return (load("./html/page") as typeof pageModule).htmlReport(reports);
  }
}
