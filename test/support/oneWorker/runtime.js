"use strict";

const { join, sep } = require("node:path");
const { default: Runtime } = require("jest-runtime");
const { SharedEnvironment } = require("./environment");

/**
 * A runtime, with what Jest's types keep private.
 * @typedef {object} Internals
 * @property {() => void} teardown
 * @property {() => void} restoreAllMocks
 * @property {string} _testPath
 * @property {{ moduleRegistry: Map<string, unknown>, internalModuleRegistry: Map<string, unknown> }} registries
 * @property {{ reset: () => void }} testMainModule
 * @property {{ state: string }} testState
 */

/** @type {Internals | undefined} */
let shared;

/**
 * A runtime that drops only the files of tests after each test file.
 * @param {ConstructorParameters<typeof Runtime>} args
 */
function keeping(...args) {
  const runtime = /** @type {Internals} */ (/** @type {unknown} */ (new Runtime(...args)));
  const tests = join(args[0].rootDir, "test") + sep;
  const packages = join(args[0].rootDir, "packages") + sep;
  const support = join(tests, "support") + sep;
  /** @param {string} file */
  const isOfTest = (file) =>
    (file.startsWith(tests) && !file.startsWith(support)) ||
    (file.startsWith(packages) && file.slice(packages.length).split(sep)[1] === "test");
  runtime.teardown = () => {
    runtime.restoreAllMocks();
    const { moduleRegistry, internalModuleRegistry } = runtime.registries;
    for (const file of moduleRegistry.keys()) {
      if (isOfTest(file)) {
        moduleRegistry.delete(file);
      }
    }
    internalModuleRegistry.clear();
    runtime.testMainModule.reset();
    runtime.testState.state = "loading";
  };
  return runtime;
}

/**
 * The runtime of a test file, which Jest calls as a constructor. It keeps modules from one test file of a worker to the next:
 * packages, the project, test/support, and packages/test-kit. Jest would load and compile all of them again for each file, and
 * every file would plan with cold code. A file that needs fresh modules, such as for jest.mock, says `@jest-environment node`.
 * @param {ConstructorParameters<typeof Runtime>} args
 */
module.exports = function runtime(...args) {
  if (!(args[1] instanceof SharedEnvironment)) {
    return new Runtime(...args);
  }
  shared ??= keeping(...args);
  shared._testPath = args[6];
  return shared;
};
