"use strict";

const { devNull } = require("node:os");
const { moduleNameMapper, testTimeout, transform } = require("./packages/test-kit/jest-preset.js");
const { files: onlyInCi } = require("./test/support/onlyInCi.js");

// Tests work on repositories of their own. The variables that git sets for hooks would lead them to the developer's repository,
// and the developer's settings would make them sign commits or run hooks.
for (const name of Object.keys(process.env).filter((each) => each.startsWith("GIT_"))) {
  Reflect.deleteProperty(process.env, name);
}
Object.assign(process.env, {
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  // The project itself may belong to another user.
  ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" },
});

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "<rootDir>/test/support/oneWorker/environment.js",
  runtime: "<rootDir>/test/support/oneWorker/runtime.js",
  testMatch: ["<rootDir>/test/**/*.test.ts", "<rootDir>/packages/*/test/**/*.test.ts"],
  testPathIgnorePatterns: ["/node_modules/", ...onlyInCi],
  transform,
  // The SDK spends two thirds of its loading time on these two, and no test needs them.
  moduleNameMapper: {
    "/typescript-shim$": "<rootDir>/test/support/later/typescript.ts",
    ...moduleNameMapper,
    "^@npmcli/arborist$": "<rootDir>/test/support/later/arborist.ts",
  },
  // package.json gives workers a larger young generation, because most objects of a plan are short-lived; it saves a fifth
  // of the time. All cores are used: Jest's default leaves one unused, which is half of a small machine.
  maxWorkers: "100%",
  globalSetup: "<rootDir>/test/support/figuresBegin.ts",
  globalTeardown: "<rootDir>/test/support/figuresEnd.ts",
  setupFiles: ["<rootDir>/test/support/usersFiles.ts", "<rootDir>/test/support/older.ts"],
  testSequencer: "<rootDir>/test/support/sequencer.js",
  testTimeout,
};
