"use strict";

// Writes test/golden/ anew: what a plan of each example stack makes. A test compares.
const { join } = require("node:path");

const root = join(__dirname, "..");
require("ts-node").register({ transpileOnly: true, project: join(root, "tsconfig.pulumi.json") });
const { rewriteGolden } = require("../plan/golden.ts");

rewriteGolden(root, (stack, count) => console.log(`test/golden/${stack}: ${count} files`)).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
