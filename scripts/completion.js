"use strict";

// Starts the completion of shells without a build step.
require("./typescript");
require("../commands/completion/cli.ts").main(process.argv.slice(2));
