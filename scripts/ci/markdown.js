"use strict";

/** The program's own Markdown, loaded without a build step. */
function markdown() {
  require("../typescript");
  return {
    ...require("../../plan/reports/json.ts"),
    ...require("../../plan/reports/markdown/markdownReport.ts"),
    ...require("../../plan/reports/markdown/preview.ts"),
  };
}

module.exports = { markdown };
