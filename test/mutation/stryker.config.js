"use strict";

/**
 * Mutants that a machine can think of, for the layers that are pure functions: `npm run mutate:mechanical`. What needs
 * knowledge of Windows, Azure or Cluster API to break it is in mutants/.
 * @type {import("@stryker-mutator/api/core", { with: { "resolution-mode": "import" } }).PartialStrykerOptions}
 */
module.exports = {
  packageManager: "npm",
  plugins: ["@stryker-mutator/jest-runner"],
  testRunner: "jest",
  jest: { configFile: "test/mutation/jest.config.js", enableFindRelatedTests: true },
  coverageAnalysis: "perTest",
  mutate: ["config/**/*.ts", "domain/**/*.ts", "plan/compare/**/*.ts"],
  // Messages are pinned where it matters; to test every other text would be to write it twice.
  mutator: { excludedMutations: ["StringLiteral"] },
  // Tables and schemas, evaluated when a module is loaded: each mutant would need all tests.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: ".cache/stryker/incremental.json",
  tempDirName: ".cache/stryker/sandbox",
  ignorePatterns: ["rendered", "reports", "test/golden"],
  // On a busy machine a slow test is not a killed mutant.
  timeoutMS: 60_000,
  reporters: ["clear-text", "progress"],
  clearTextReporter: { reportTests: false },
};
