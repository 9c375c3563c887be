"use strict";

// Loaded into the program's process before the program.
//
// A parent that is killed cannot end this process, and one whose monitor is gone waits for it without end. A program in an
// endless loop blocks every timer of its thread, so another thread looks after the parent.
const { Worker } = require("node:worker_threads");
const watching = `
const { workerData: parent } = require("node:worker_threads");
const parentLives = () => {
  try {
    return process.ppid === parent && process.kill(parent, 0);
  } catch {
    return false;
  }
};
setInterval(() => parentLives() || process.kill(process.pid, "SIGKILL"), 1000);
`;
// Without the arguments of this process, which load this file.
new Worker(watching, { eval: true, env: {}, execArgv: [], workerData: process.ppid }).unref();

// With colors, `util.inspect` of Node.js 20 and 22 goes round in circles on a stack frame such as
// "node_modules/@pulumi/resource.ts" (a scope and no second slash) until it has filled half a gigabyte, which takes
// half a minute. The SDK's source maps name its own files like that, and the SDK inspects every error of a program
// with colors. A recording has no use for colors anyway.
const util = require("node:util");

util.inspect = new Proxy(util.inspect, {
  /**
   * @param {typeof util.inspect} inspect
   * @param {unknown} self
   * @param {[unknown, import("node:util").InspectOptions | undefined, ...unknown[]]} args
   * @returns {unknown}
   */
  apply(inspect, self, [value, options, ...rest]) {
    const plain = options?.colors ? { ...options, colors: false } : options;
    return Reflect.apply(inspect, self, [value, plain, ...rest]);
  },
});

// For every promise of a program the SDK notes a stack trace that only PULUMI_DEBUG_PROMISE_LEAKS would show, and
// ts-node translates each of them to lines of TypeScript: a fifth of a program's time. Those stay empty.
/** @typedef {NonNullable<typeof Error.prepareStackTrace>} Translate */
/** @type {Translate | undefined} */
let translate = Error.prepareStackTrace;
/** @param {readonly NodeJS.CallSite[]} frames */
const isNote = ([frame]) => /[\\/]runtime[\\/]debuggable\.js$/.test(frame?.getFileName() ?? "");
/** @type {Translate} */
const withoutNotes = (error, frames) =>
  isNote(frames) ? "" : /** @type {unknown} */ (translate?.(error, frames));

Object.defineProperty(Error, "prepareStackTrace", {
  configurable: true,
  /** @returns {Translate | undefined} */
  get: () => translate && withoutNotes,
  set: (/** @type {Translate | undefined} */ next) => {
    // Those who look at a stack put back what they found.
    if (next !== withoutNotes) {
      translate = next;
    }
  },
});
