"use strict";

// Prints the comment about real previews, from the files that preview.js wrote.
//   node scripts/ci/previewComment.js DIR '["dev","prod"]' RUN_URL
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { parseJson, readJson } = require("../json");
const { markdown } = require("./markdown");

/** @typedef {import("../../commands/plan/reports/markdown/preview.ts").Preview} Preview */

const [dir = "", stacks = "[]", url = ""] = process.argv.slice(2);
const previews = /** @type {string[]} */ (parseJson(stacks)).map((stack) => {
  const file = join(dir, `${stack}.json`);
  /** @type {Preview} */
  const missing = { stack, result: "failed", operations: [], text: "There is no preview; see the run." };
  return existsSync(file) ? /** @type {Preview} */ (readJson(file)) : missing;
});
process.stdout.write(markdown().previewMarkdown(previews, { whole: url }));
