"use strict";

// Starts the command without a build step.
require("./typescript");
require("../commands/stack/register.ts");
require("../commands/probe/cli.ts").main(process.argv.slice(2));
