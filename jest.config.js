"use strict";

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { parser: { syntax: "typescript" }, target: "es2022" }, module: { type: "commonjs" } },
    ],
  },
  // Each suite loads its own copy of each module. These two are four fifths of the SDK's, and no test needs them.
  moduleNameMapper: {
    "/typescript-shim$": "<rootDir>/test/support/later/typescript.ts",
    "^@npmcli/arborist$": "<rootDir>/test/support/later/arborist.ts",
  },
  // package.json gives workers a larger young generation, because most objects of a plan are short-lived; it saves a fifth
  // of the time. All cores are used: Jest's default leaves one unused, which is half of a small machine.
  maxWorkers: "100%",
  globalSetup: "<rootDir>/test/support/figuresBegin.ts",
  globalTeardown: "<rootDir>/test/support/figuresEnd.ts",
  setupFiles: ["<rootDir>/test/support/usersFiles.ts"],
  testSequencer: "<rootDir>/test/support/sequencer.js",
  testTimeout: 120_000,
};
