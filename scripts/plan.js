"use strict";

// Starts the plan without a build step. package.json gives it a large young generation, because most objects of a plan
// are short-lived.
const { setFlagsFromString } = require("node:v8");

// V8 of Node.js 20 optimizes early, which takes a fifth of the CPU time of a plan and makes it no faster. Newer versions
// wait longer, and do not know this flag.
if (process.versions.node.startsWith("20.")) {
  setFlagsFromString("--interrupt-budget=1000000");
}

require("./typescript");
require("../plan/cli/main.ts").main(process.argv.slice(2));
