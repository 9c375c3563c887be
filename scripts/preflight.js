"use strict";

// Starts the command without a build step.
require("./typescript");
require("../commands/preflight/cli/main.ts").main(process.argv.slice(2));
