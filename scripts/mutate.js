"use strict";

// Breaks the program on purpose in many places and reports what no test notices: npm run mutate [-- PART-OF-A-FILE-NAME]
const { join } = require("node:path");

require("ts-node").register({ transpileOnly: true, project: join(__dirname, "..", "tsconfig.pulumi.json") });
require("../test/mutation/run.ts");
