"use strict";

// Starts the look at images without a build step.
require("./typescript");
require("../images/cli.ts").main(process.argv.slice(2));
