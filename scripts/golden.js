"use strict";

// Rewrites test/golden/: the files that a plan of each example stack writes. A test compares them.
const { join } = require("node:path");

const root = join(__dirname, "..");
require("./typescript");
require("../older/addons/register.ts");
require("../older/config/register.ts");
const { rewriteGolden } = require("../test/support/golden.ts");

rewriteGolden(root, (stack, count) => {
  console.log(`test/golden/${stack}: ${count} files`);
}).catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
