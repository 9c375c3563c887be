"use strict";

// Prints the notes of a release: what CHANGELOG.md has about its version.
//   node scripts/ci/releaseNotes.js VERSION
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const [wanted = "", file = join(__dirname, "../../CHANGELOG.md")] = process.argv.slice(2);
const version = wanted.replace(/^v/, "");
const sections = readFileSync(file, "utf8").split(/^## /m).slice(1);
const isOf = (/** @type {string} */ section) => /^\S*/.exec(section)?.[0] === version;
const text = sections.find(isOf)?.replace(/^.*\n/, "").trim();

if (text === undefined || text === "") {
  const known = sections.map((section) => /^\S*/.exec(section)?.[0]).join(", ");
  console.error(`CHANGELOG.md has no text about the version ${version}; it has: ${known}.`);
  process.exit(1);
}
console.log(text);
