"use strict";

const { join } = require("node:path");

/** The program's own Markdown, loaded without a build step. */
function markdown() {
  require("ts-node").register({
    transpileOnly: true,
    project: join(__dirname, "../../tsconfig.pulumi.json"),
  });
  return {
    ...require("../../plan/reports/json.ts"),
    ...require("../../plan/reports/markdown/comparison.ts"),
    ...require("../../plan/reports/markdown/preview.ts"),
  };
}

module.exports = { markdown };
