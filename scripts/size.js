"use strict";

// Prints the lines of each top-level folder: what people wrote, what scripts wrote (linguist-generated in .gitattributes),
// and tests with their golden files and recordings. What the doctor knows is YAML that people write, so it counts, too.
const { execFileSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
/** @type {(...args: string[]) => string[]} */
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").slice(0, -1);

const knowledge = "packages/doctor/knowledge/";
const source = /\.(ts|js|css|ps1|sh|html)$/;
const generated = new Set(git("ls-files", "-z", ":(attr:linguist-generated)"));
/** @type {Map<string, { written: number, generated: number }>} */
const rooms = new Map();
const total = { source: 0, data: 0, tests: 0 };
for (const file of git("ls-files", "-z")) {
  const isData = file.startsWith(knowledge);
  const folder = file.includes("/") ? file.slice(0, file.indexOf("/")) : "(root)";
  const room = isData ? knowledge : folder;
  const isTest = room === "test";
  if (!isTest && !isData && !source.test(file)) {
    continue;
  }
  const lines = readFileSync(join(root, file), "utf8").split("\n").length - 1;
  const counted = rooms.get(room) ?? { written: 0, generated: 0 };
  counted[generated.has(file) ? "generated" : "written"] += lines;
  rooms.set(room, counted);
  if (isTest) {
    total.tests += lines;
  } else if (isData) {
    total.data += lines;
  } else if (!generated.has(file)) {
    total.source += lines;
  }
}
for (const [room, { written, generated: rest }] of [...rooms].sort((a, b) => b[1].written - a[1].written)) {
  console.log(`${room.padEnd(28)}${String(written).padStart(7)}${rest > 0 ? `  and ${rest} generated` : ""}`);
}
console.log(
  `hand-written source: ${total.source + total.data} lines, ${total.data} of them data; tests with golden files: ${total.tests} lines`,
);
