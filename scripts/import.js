"use strict";

// Starts the import of other tools' clusters without a build step.
require("./typescript");
require("../older/import/register.ts");
require("../commands/import/cli.ts").main(process.argv.slice(2));
