"use strict";

// Starts the plan without a build step. package.json gives it a large young generation, because what a plan makes dies
// young, and lets V8 optimise later than usual: a plan ends before that pays.
require("./typescript");
require("../plan/cli/main.ts").main(process.argv.slice(2));
