"use strict";

// Makes docs/pictures/ from the examples with a headless Chromium (CHROME_BIN, or one on PATH): the cluster of `dev`.
// To be run when the reports look different, and looked at before the picture is committed.
const { spawnSync } = require("node:child_process");
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const root = join(__dirname, "..");
const work = mkdtempSync(join(tmpdir(), "capz-windows-pictures-"));

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const { status, error, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  // Exit code 2 of a plan is a change.
  if (error !== undefined || (status !== 0 && status !== 2)) {
    throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr}`);
  }
}

/** @param {string[]} args */
function plan(...args) {
  run(process.execPath, [join(__dirname, "plan.js"), ...args]);
}

/**
 * A page without what the picture does not show.
 * @param {string} name
 * @param {string} page
 * @param {string} hidden
 * @param {string} size
 */
function picture(name, page, hidden, size) {
  const file = join(work, `${name}.html`);
  const style = `<style>${hidden} { display: none } main { margin: 0; padding: 4px }</style>`;
  // The page's own policy allows no further styles.
  const html = readFileSync(page, "utf8").replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  writeFileSync(file, html.replace("</head>", `${style}</head>`));
  run(process.env.CHROME_BIN ?? "chromium", [
    ...["--headless", "--disable-gpu", "--hide-scrollbars", "--disable-lcd-text"],
    ...["--no-first-run", `--user-data-dir=${join(work, "profile")}`],
    // Chromium's own sandbox does not work for root, as in most containers.
    ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ...[
      `--window-size=${size}`,
      `--screenshot=${join(root, "docs/pictures", `${name}.png`)}`,
      `file://${file}`,
    ],
  ]);
}

try {
  const page = join(work, "plan-report.html");
  plan("--stack", "dev", "--out", join(work, "dev"), "--report", page);
  picture("plan", page, "main > :not(.picture)", "982,740");
} finally {
  rmSync(work, { recursive: true, force: true });
}
