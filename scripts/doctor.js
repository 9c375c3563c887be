"use strict";

// Starts the doctor without a build step.
require("./typescript");
require("../doctor/cli/main.ts").main(process.argv.slice(2));
