"use strict";

const base = require("../../jest.config");

/**
 * The tests that Stryker runs for each mutant: those of the layers that it breaks, without the ones that throw random
 * stack files at the whole program. They notice much, take longest, and say least about what a line is for.
 * @type {import("jest").Config}
 */
module.exports = {
  ...base,
  rootDir: "../..",
  testMatch: ["<rootDir>/test/{config,domain,plan/compare}/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", "test/config/(fuzz|secrets)"],
  setupFilesAfterEnv: ["<rootDir>/test/mutation/quickProperties.js"],
};
