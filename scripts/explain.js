"use strict";

// Starts the command without a build step.
require("./typescript");
require("../commands/explain/cli.ts").main(process.argv.slice(2));
