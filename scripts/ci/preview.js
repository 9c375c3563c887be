"use strict";

// Runs one real preview. It prints the text, and writes text and operations to a file for comments, approvals and drift.
//   node scripts/ci/preview.js --stack NAME --out FILE [--refresh] [--expect-no-changes] [--approved FILE]
// Exit code: Pulumi's; 3 if the operations are not those of the approved preview; 0 if what looks like drift is not drift.
const { spawn } = require("node:child_process");
const { mkdirSync, mkdtempSync, existsSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { dirname, join } = require("node:path");
const { parseArgs } = require("node:util");
const { readJson } = require("../json");
const { compareOperations, readEvents } = require("./operations");

const {
  values: { stack, out, approved: approvedFile, refresh, "expect-no-changes": expectNoChanges, pulumi },
} = parseArgs({
  options: {
    stack: { type: "string" },
    out: { type: "string" },
    approved: { type: "string" },
    refresh: { type: "boolean", default: false },
    "expect-no-changes": { type: "boolean", default: false },
    // For tests.
    pulumi: { type: "string", default: join(__dirname, "../../node_modules/.bin/pulumi") },
  },
});

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{code: number, text: string}>}
 */
function run(command, args, env) {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  /**
   * @param {NodeJS.ReadableStream} from
   * @param {NodeJS.WritableStream} to
   */
  const tee = (from, to) => {
    from.setEncoding("utf8");
    from.on("data", (/** @type {string} */ chunk) => {
      text += chunk;
      to.write(chunk);
    });
  };
  tee(child.stdout, process.stdout);
  tee(child.stderr, process.stderr);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code: code ?? 1, text });
    });
  });
}

async function main() {
  if (stack === undefined || out === undefined) {
    console.error("preview.js: --stack and --out are needed");
    return 64;
  }
  // The log contains the config of the stack, so it is always deleted.
  const work = mkdtempSync(join(tmpdir(), "capz-windows-preview-"));
  try {
    const log = join(work, "events.json");
    const { code, text } = await run(
      pulumi,
      [
        ...["preview", "--stack", stack, "--diff", "--suppress-outputs", "--suppress-progress"],
        ...["--non-interactive", "--color", "never", "--event-log", log],
        ...(refresh ? ["--refresh"] : []),
        ...(expectNoChanges ? ["--expect-no-changes"] : []),
      ],
      // --event-log is a hidden flag for the Automation API; this variable enables it.
      { ...process.env, PULUMI_DEBUG_COMMANDS: "true" },
    );
    const { finished, operations, leftOut } = readEvents(existsSync(log) ? readFileSync(log, "utf8") : "", {
      drift: expectNoChanges,
    });
    // With --expect-no-changes Pulumi fails on every change. If it has finished, this script decides which ones are
    // drift.
    const judged = expectNoChanges && finished && operations.length + leftOut > 0;
    const result = code !== 0 && !judged ? "failed" : operations.length > 0 ? "changes" : "unchanged";
    mkdirSync(dirname(out), { recursive: true });
    const file = { version: 1, stack, result, operations, text };
    writeFileSync(out, `${JSON.stringify(file, null, 2)}\n`);
    if (judged && operations.length === 0) {
      return 0;
    }
    if (code !== 0 || approvedFile === undefined) {
      return code;
    }
    const approved = /** @type {{operations: import("./operations").Operation[]}} */ (readJson(approvedFile));
    const different = compareOperations(approved.operations, operations);
    if (different.length > 0) {
      console.error(
        `This is not what was approved; start the deployment again:\n  ${different.join("\n  ")}`,
      );
      return 3;
    }
    console.error(`The same ${operations.length} operations as approved.`);
    return 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
