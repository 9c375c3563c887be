"use strict";

// Starts the check of workloads without a build step.
require("./typescript");
require("../commands/stack/register.ts");
require("windows-workloads/cli").main(process.argv.slice(2));
