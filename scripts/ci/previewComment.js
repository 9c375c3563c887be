"use strict";

// The comment about real previews, from the files of preview.js.
//   node scripts/ci/previewComment.js DIR '["dev","prod"]' RUN_URL
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { markdown } = require("./markdown");

const [dir = "", stacks = "[]", url = ""] = process.argv.slice(2);
const previews = JSON.parse(stacks).map((stack) => {
  const file = join(dir, `${stack}.json`);
  return existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { version: 1, stack, result: "failed", operations: [], text: "There is no preview; see the run." };
});
process.stdout.write(markdown().previewMarkdown(previews, { whole: url }));
