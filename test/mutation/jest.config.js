"use strict";

const base = require("../../jest.config");

/**
 * The tests that Stryker runs for each mutant: those of the layers that it breaks, without those that run the whole
 * program with random stack files. These notice much, but take longest, and say least about the purpose of a line.
 * @type {import("jest").Config}
 */
module.exports = {
  ...base,
  testEnvironment: "node",
  runtime: undefined,
  rootDir: "../..",
  testMatch: [
    "<rootDir>/test/{addons,bootstrap,capi,config,older,rights,plan/compare}/**/*.test.ts",
    "<rootDir>/packages/{kit,platform}/test/**/*.test.ts",
  ],
  testPathIgnorePatterns: ["/node_modules/", "test/config/(fuzz|secrets)"],
  setupFilesAfterEnv: ["<rootDir>/test/mutation/quickProperties.js"],
};
