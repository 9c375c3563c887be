"use strict";

/** The program's own functions for Markdown reports, loaded without a build step. */
function markdown() {
  require("../typescript");
  return {
    ...require("../../plan/reports/json.ts"),
    ...require("../../plan/reports/markdown/markdownReport.ts"),
    ...require("../../plan/reports/markdown/preview.ts"),
  };
}

module.exports = { markdown };
