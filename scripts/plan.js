"use strict";

// Starts the plan without a build step. Types are not checked here but by `npm run check`.
const { join } = require("node:path");

require("ts-node").register({
  transpileOnly: true,
  project: join(__dirname, "..", "tsconfig.pulumi.json"),
});
require("../plan/main.ts").main(process.argv.slice(2));
