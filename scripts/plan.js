"use strict";

// Starts the plan without a build step.
require("./typescript");
require("../plan/cli/main.ts").main(process.argv.slice(2));
