"use strict";

// Starts the command without a build step.
require("./typescript");
require("../commands/stack/register.ts");
require("capz-windows-doctor/access/cli/main").main(process.argv.slice(2));
