"use strict";

/**
 * Generated mutants of the layers that are pure functions: `npm run mutate:mechanical`. Mutants that need
 * knowledge of Windows, Azure or Cluster API are in mutants.txt.
 * @type {import("@stryker-mutator/api/core", { with: { "resolution-mode": "import" } }).PartialStrykerOptions}
 */
module.exports = {
  packageManager: "npm",
  plugins: ["@stryker-mutator/jest-runner"],
  testRunner: "jest",
  jest: { configFile: "test/mutation/jest.config.js", enableFindRelatedTests: true },
  coverageAnalysis: "perTest",
  mutate: [
    "config/**/*.ts",
    "{addons,bootstrap,capi,older,packages/platform,packages/kit}/**/*.ts",
    "plan/compare/**/*.ts",
  ],
  // Tests check messages where they matter. Tests of all other texts would only repeat them.
  mutator: { excludedMutations: ["StringLiteral"] },
  // Tables and schemas are evaluated when their module is loaded, so each of their mutants would need all tests.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: ".cache/stryker/incremental.json",
  tempDirName: ".cache/stryker/sandbox",
  ignorePatterns: ["rendered", "reports", "test/golden"],
  // On a busy computer, a slow test must not count as a killed mutant.
  timeoutMS: 60_000,
  reporters: ["clear-text", "progress"],
  clearTextReporter: { reportTests: false },
};
