"use strict";

// Breaks the program in many places, one at a time, and reports the mutants that no test detects:
//   npm run mutate [-- PART-OF-A-FILE-NAME]
require("./typescript");
require("../test/mutation/run.ts");
