"use strict";

// Starts the command without a build step.
require("./typescript");
require("../commands/encryption/cli.ts").main(process.argv.slice(2));
