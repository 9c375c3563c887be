"use strict";

const { dirname, join } = require("node:path");

// fast-check with one seed for all random inputs of a run, which .ci/run prints: a second try of a file has the same ones.
// Its name leads here (jest-preset.js).
/** @type {typeof import("fast-check")} */
const fc = require(join(dirname(require.resolve("fast-check/package.json")), "lib/cjs/fast-check.js"));

const { CAPZ_WINDOWS_SEED: seed, CAPZ_WINDOWS_RUN: run } = process.env;
if (seed) {
  // To shrink a whole comparison takes ten minutes, so .ci/run prints what failed, and the seed repeats it elsewhere.
  fc.configureGlobal({ seed: Number(seed), endOnFailure: run !== undefined });
}

module.exports = fc;
