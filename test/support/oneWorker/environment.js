"use strict";

const { AsyncLocalStorage } = require("node:async_hooks");
const { setFlagsFromString } = require("node:v8");
const { TestEnvironment } = require("jest-environment-node");

// As in scripts/plan.js: optimized code costs more CPU time than it saves, because most of it runs few times.
if (process.versions.node.startsWith("20.")) {
  setFlagsFromString("--interrupt-budget=1000000");
}

/**
 * The storages that a test file has used. Before Node.js 24, each makes every promise of the process slower until it is
 * disabled, and jest-circus has one for each file. `run` enables those that a later file uses again.
 * @type {Set<AsyncLocalStorage<unknown>>}
 */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (/** @type {Parameters<typeof run>} */ ...args) {
  storages.add(this);
  return Reflect.apply(run, this, args);
};

/**
 * One global object for all test files of a worker, so that the modules which runtime.js keeps stay usable. What a file
 * changes in the environment variables is undone after it.
 */
class SharedEnvironment extends TestEnvironment {
  /** @param {ConstructorParameters<typeof TestEnvironment>} args */
  constructor(...args) {
    super(...args);
    // Jest keeps each value that a global variable ever had, to take it apart at the end. That would be every plan, because
    // Pulumi's SDK has its stack in one.
    const { _globalProxy } = /** @type {{ _globalProxy: { leftovers: unknown[] } }} */ (
      /** @type {unknown} */ (this)
    );
    _globalProxy.leftovers.push = () => 0;
    this.exit = this.global.process.exit;
    this.env = this.global.process.env;
    this.variables = { ...this.env };
  }

  /** @override */
  teardown() {
    const { process } = this.global;
    process.exit = this.exit;
    process.env = this.env;
    for (const name of Object.keys(this.env).filter((each) => !(each in this.variables))) {
      Reflect.deleteProperty(this.env, name);
    }
    Object.assign(this.env, this.variables);
    this.fakeTimersModern?.useRealTimers();
    storages.forEach((each) => {
      each.disable();
    });
    storages.clear();
    // What jest-circus keeps of a file.
    for (const key of Object.getOwnPropertySymbols(this.global)) {
      if (/^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL)$/.test(key.description ?? "")) {
        Reflect.deleteProperty(this.global, key);
      }
    }
    return Promise.resolve();
  }
}

/** @type {SharedEnvironment | undefined} */
let shared;

/** The tests with real managers run in real time, and share nothing. Without a rig they only say so. */
const alone = (process.env.CAPZ_WINDOWS_RIG ?? "") === "" ? /^$/ : /[\\/]test[\\/](life|controllers)[\\/]/;

/**
 * The environment of a test file. Jest calls it as a constructor.
 * @param {ConstructorParameters<typeof TestEnvironment>} args
 */
module.exports = function environment(...args) {
  return alone.test(args[1].testPath)
    ? new TestEnvironment(...args)
    : (shared ??= new SharedEnvironment(...args));
};
module.exports.SharedEnvironment = SharedEnvironment;
