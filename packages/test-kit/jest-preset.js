"use strict";

const { join } = require("node:path");

/**
 * Jest's settings for the tests of one package alone: `npm test -w packages/kit`. The root runs those of all packages with its
 * own, of which these are a part.
 * @type {import("jest").Config}
 */
module.exports = {
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  transform: {
    "^.+\\.ts$": [
      require.resolve("@swc/jest"),
      { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" } },
    ],
  },
  moduleNameMapper: { "^fast-check$": join(__dirname, "fastCheck.js") },
  maxWorkers: "100%",
  // A machine that other programs use is several times slower; a test that hangs still ends.
  testTimeout: 300_000,
};
