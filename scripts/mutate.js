"use strict";

// Breaks the program on purpose in many places and reports what no test notices: npm run mutate [-- PART-OF-A-FILE-NAME]
require("./typescript");
require("../test/mutation/run.ts");
