"use strict";

// Prints the lines of each folder and package: what people wrote, what scripts wrote (linguist-generated in .gitattributes), and
// tests with their golden files and recordings. What the doctor knows is YAML that people write, so it counts, too. It fails
// above a ceiling: what has been reached. Lower a ceiling when its folder becomes smaller.
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
/** @type {(...args: string[]) => string[]} */
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").slice(0, -1);

/** @type {Readonly<Record<string, number>>} */
const ceilings = {
  tests: 95000,
  "packages/doctor": 12800,
  plan: 15100,
  config: 14300,
  commands: 9050,
  "packages/platform": 10600,
  components: 7700,
  bootstrap: 4900,
  "packages/kit": 5400,
  addons: 3400,
  "packages/plan-engine": 3300,
  "packages/windows-workloads": 2950,
  "packages/probe": 2400,
  scripts: 2400,
  program: 1850,
  older: 1550,
  "packages/azure-network-paths": 1300,
  capi: 1200,
  "packages/contract": 500,
  "packages/capz-types": 100,
  "the root without commands/ and plan/": 37400,
  source: 100500,
};

/** What the program is made of, without its tools: what one reads who changes a cluster. */
const request = [
  "(root)",
  "addons",
  "bootstrap",
  "capi",
  "components",
  "config",
  "older",
  "program",
  "scripts",
  "template",
];

const knowledge = "packages/doctor/knowledge/";
const source = /\.(ts|js|css|ps1|sh|html)$/;
const generated = new Set(git("ls-files", "-z", ":(attr:linguist-generated)"));
/** @type {Map<string, { written: number, generated: number }>} */
const rooms = new Map();
const total = { source: 0, data: 0, tests: 0 };

/** @param {string} file */
function roomOf(file) {
  const parts = file.split("/");
  if (parts.length === 1) {
    return "(root)";
  }
  return parts[0] === "packages" ? `packages/${parts[1] ?? ""}` : (parts[0] ?? "");
}

for (const file of git("ls-files", "-z")) {
  const isData = file.startsWith(knowledge);
  const isTest = /^(?:packages\/(?:test-kit|[^/]+\/test)|test)\//.test(file);
  if (!isTest && !isData && !source.test(file)) {
    continue;
  }
  const room = isTest ? "tests" : roomOf(file);
  const lines = readFileSync(join(root, file), "utf8").split("\n").length - 1;
  const counted = rooms.get(room) ?? { written: 0, generated: 0 };
  const isGenerated = generated.has(file);
  counted[isGenerated ? "generated" : "written"] += lines;
  rooms.set(room, counted);
  if (isTest) {
    total.tests += lines;
  } else if (isData) {
    total.data += lines;
  } else if (!isGenerated) {
    total.source += lines;
  }
}
/** @param {readonly string[]} names */
const linesOf = (names) => names.reduce((sum, name) => sum + (rooms.get(name)?.written ?? 0), 0);
const counts = [
  ...[...rooms]
    .sort((a, b) => b[1].written - a[1].written)
    .map(([name, { written }]) => /** @type {const} */ ([name, written])),
  /** @type {const} */ (["the root without commands/ and plan/", linesOf(request)]),
  /** @type {const} */ (["source", total.source + total.data]),
];
for (const [name, lines] of counts) {
  const ceiling = ceilings[name];
  const rest = rooms.get(name)?.generated ?? 0;
  const above = ceiling !== undefined && lines > ceiling;
  console.log(
    `${name.padEnd(38)}${String(lines).padStart(7)}${ceiling === undefined ? "" : ` of at most ${ceiling}`}${rest > 0 ? `, and ${rest} generated` : ""}${above ? ": TOO MANY" : ""}`,
  );
  if (above) {
    process.exitCode = 1;
  }
}
console.log(`of the source ${total.data} lines are data; tests with golden files: ${total.tests} lines`);
