"use strict";

// fast-check with one seed for all random inputs of a run, which .ci/run prints: a second try of a file has the same ones.
const fc = require("../../node_modules/fast-check/lib/cjs/fast-check.js");

const { CAPZ_WINDOWS_SEED: seed } = process.env;
if (seed) {
  fc.configureGlobal({ seed: Number(seed) });
}

module.exports = fc;
