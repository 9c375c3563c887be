"use strict";

// The first counterexample kills a mutant; making it smaller would take longer than all other tests.
require("fast-check").configureGlobal({ endOnFailure: true });
