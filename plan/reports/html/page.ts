import { readFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { markdownReport } from "../markdown/markdownReport";
import type { Box, Picture } from "../picture/boxes";
import { mermaid } from "../picture/mermaid";
import { shownPicture } from "../picture/shown";
import type { StackReport } from "../stackReport";
import { visibleText as visible } from "capz-windows-kit/visible";

/** The Markdown report as a self-contained page: no script, no font, no image. */

const { escapeHtml } = new MarkdownIt().utils;
const text = (value: string): string => escapeHtml(visible(value));

const boxHtml = ({ tone, title, badge = "", lines, change, boxes = [] }: Box): string =>
  [
    `<div class="box ${tone} ${change ?? ""}"><p>${change === undefined ? "" : `<em>${change}</em> `}<strong>${text(title)}</strong> <span>${text(badge)}</span></p>`,
    ...lines.map((line) => `<p>${text(line)}</p>`),
    boxes.length === 0 ? "" : `<div class="boxes">${boxes.map(boxHtml).join("\n")}</div>`,
    "</div>",
  ].join("\n");

const pictureHtml = ({ management, cluster }: Picture): string =>
  `<div class="picture">${boxHtml(management)}${cluster === undefined ? "" : `<p>creates</p>${boxHtml(cluster)}`}</div>\n`;

/** The only markup that a report in Markdown has; all else is text. */
const isOwnMarkup = (line: string): boolean =>
  /^(<details>(<summary>[^<>]*<\/summary>)?|<\/details>|)$/.test(line.trim());

/** @param pictures - what stands in place of each diagram of Mermaid */
function renderer(pictures: ReadonlyMap<string, string>): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: true }).disable("image");
  const { rules } = markdown.renderer;
  rules.html_inline = (tokens, index) => escapeHtml(tokens[index]?.content ?? "");
  rules.html_block = (tokens, index) => {
    const { content = "" } = tokens[index] ?? {};
    return content.split("\n").every(isOwnMarkup) ? content : escapeHtml(content);
  };
  rules.fence = (tokens, index) => {
    const { content = "", info = "" } = tokens[index] ?? {};
    const picture = info === "mermaid" ? pictures.get(content.trimEnd()) : undefined;
    if (picture !== undefined) {
      return picture;
    }
    const lines = content.trimEnd().split("\n").map(escapeHtml);
    const shown = info === "diff" ? lines.map(diffLine) : lines;
    return `<pre><code>${shown.join("\n")}</code></pre>\n`;
  };
  rules.table_open = () => '<div class="wide" tabindex="0" role="region" aria-label="table"><table>\n';
  rules.table_close = () => "</table></div>\n";
  return markdown;
}

function diffLine(line: string): string {
  if (line.startsWith("+")) {
    return `<ins>${line}</ins>`;
  }
  return line.startsWith("-") ? `<del>${line}</del>` : line;
}

export function htmlReport(reports: readonly StackReport[]): string {
  const pictures = new Map(
    reports
      .map((report) => shownPicture(report, true))
      .filter((picture) => picture !== undefined)
      .map((picture) => [mermaid(picture).join("\n"), pictureHtml(picture)]),
  );
  const names = text(reports.map(({ stack }) => stack).join(", "));
  const markdown = markdownReport(reports, { limit: Infinity, isPage: true });
  // Characters without width keep GitHub from linking names; nothing links them here.
  const body = renderer(pictures).render(markdown).replaceAll("\u2060", "");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
<meta name="color-scheme" content="light dark" />
<title>Plan of ${names}</title>
<style>
${readFileSync(join(__dirname, "style.css"), "utf8")}</style>
</head>
<body>
<main>
${body}<p>Simulated offline; no cloud was asked, nothing was created, secrets are left out.</p>
</main>
</body>
</html>
`;
}
