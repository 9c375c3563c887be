"use strict";

// Starts the plan without a build step. package.json gives it a large young generation, because most objects of a plan
// are short-lived, and makes V8 optimize later than usual, because a plan ends before optimization pays off.
require("./typescript");
require("../plan/cli/main.ts").main(process.argv.slice(2));
