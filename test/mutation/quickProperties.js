"use strict";

// The first counterexample kills a mutant. Shrinking it would take longer than all other tests.
require("fast-check").configureGlobal({ endOnFailure: true });
