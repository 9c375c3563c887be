"use strict";

// Prints the comment about a plan, rendered from its JSON report. The report may come from a fork's pull request, so it
// is parsed strictly first.
//   node scripts/ci/planComment.js REPORT.json RUN_URL
const { lstatSync, readFileSync } = require("node:fs");
const { markdown } = require("./markdown");

const [file = "", url = ""] = process.argv.slice(2);
const maxBytes = 64 * 1024 * 1024;
const stat = lstatSync(file);
// A link is refused, because it could point to another file of this machine.
if (!stat.isFile() || stat.size > maxBytes) {
  console.error(`${file}: no file of less than ${maxBytes} bytes`);
  process.exit(1);
}
const { markdownReport, parseReport } = markdown();
process.stdout.write(markdownReport(parseReport(readFileSync(file, "utf8")), { whole: url }));
