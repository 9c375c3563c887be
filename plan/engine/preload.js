"use strict";

// Loaded into the program's process before the program.
//
// With colours, `util.inspect` of Node.js 20 and 22 goes round in circles on a stack frame such as
// "node_modules/@pulumi/resource.ts" (a scope and no second slash) until it has filled half a gigabyte, which takes
// half a minute. The SDK's source maps name its own files like that, and the SDK inspects every error of a program
// with colours. A recording has no use for colours anyway.
const util = require("node:util");

util.inspect = new Proxy(util.inspect, {
  apply(inspect, self, [value, options, ...rest]) {
    const plain = options?.colors ? { ...options, colors: false } : options;
    return Reflect.apply(inspect, self, [value, plain, ...rest]);
  },
});

// For every promise of a program the SDK notes a stack trace that only PULUMI_DEBUG_PROMISE_LEAKS would show, and
// ts-node translates each of them to lines of TypeScript: a fifth of a program's time. Those stay empty.
let translate = Error.prepareStackTrace;
const isNote = ([frame]) => /[\\/]runtime[\\/]debuggable\.js$/.test(frame?.getFileName() ?? "");
const withoutNotes = (error, frames) => (isNote(frames) ? "" : translate(error, frames));

Object.defineProperty(Error, "prepareStackTrace", {
  configurable: true,
  get: () => translate && withoutNotes,
  set: (next) => {
    // Those who look at a stack put back what they found.
    if (next !== withoutNotes) {
      translate = next;
    }
  },
});
