"use strict";

// Starts the doctor without a build step.
require("./typescript");
require("../commands/stack/register.ts");
require("../commands/doctor/cli/main.ts").main(process.argv.slice(2));
