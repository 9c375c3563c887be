"use strict";

// The issue about the drift of one stack: opened when there is some, kept up to date, closed when it is gone.
//   node scripts/ci/driftIssue.js PREVIEW.json RUN_URL      STACK names the stack
const { existsSync } = require("node:fs");
const { readJson } = require("../json");
const { bot, gh, list, repository } = require("./gh");
const { markdown } = require("./markdown");

const [file = "", url = ""] = process.argv.slice(2);
const stack = process.env.STACK ?? "";
const title = `Drift in stack ${stack}`;
const preview = existsSync(file)
  ? /** @type {import("../../commands/plan/reports/markdown/preview.ts").Preview} */ (readJson(file))
  : undefined;

const issues = /** @type {{number: number, title: string}[]} */ (
  list(
    `repos/${repository()}/issues?state=open&creator=${encodeURIComponent(bot)}&per_page=100`,
    "{number, title}",
  )
);
const open = issues.find((issue) => issue.title === title);

if (preview === undefined || preview.result === "failed") {
  // Whether there is drift is unknown. The failed job itself notifies people.
  console.log(`No preview of ${stack}; the issue stays as it is.`);
} else if (preview.result === "changes") {
  const { previewMarkdown } = markdown();
  const body = [
    `What runs in stack \`${stack}\` is not what the default branch says. Either it was changed by hand, or a`,
    "deployment is still to come. Bring the change into the stack file, or run the workflow `deploy` to take it back.",
    "",
    previewMarkdown([preview], { whole: url }),
  ].join("\n");
  if (open === undefined) {
    gh(["--method", "POST", `repos/${repository()}/issues`], { title, body });
  } else {
    gh(["--method", "PATCH", `repos/${repository()}/issues/${open.number}`], { body });
  }
  console.log(`${open === undefined ? "Opened" : "Updated"} the issue "${title}"`);
} else if (open !== undefined) {
  gh(["--method", "PATCH", `repos/${repository()}/issues/${open.number}`], {
    state: "closed",
    state_reason: "completed",
  });
  console.log(`Closed the issue "${title}"`);
}
