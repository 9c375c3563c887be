"use strict";

/** The program's own functions for Markdown reports, loaded without a build step. */
function markdown() {
  require("../typescript");
  return {
    ...require("../../commands/plan/reports/json.ts"),
    ...require("../../commands/plan/reports/markdown/markdownReport.ts"),
    ...require("../../commands/plan/reports/markdown/preview.ts"),
  };
}

module.exports = { markdown };
