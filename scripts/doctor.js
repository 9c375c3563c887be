"use strict";

// Starts the doctor without a build step.
require("./typescript");
require("../commands/stack/register.ts");
require("capz-windows-doctor/cli/main").main(process.argv.slice(2));
