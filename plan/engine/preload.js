"use strict";

// Loaded into the program's process before the program.
//
// With colours, `util.inspect` of Node.js 20 and 22 goes round in circles on a stack frame such as
// "node_modules/@pulumi/resource.ts" (a scope and no second slash) until it has filled half a gigabyte, which takes
// half a minute. The SDK's source maps name its own files like that, and the SDK inspects every error of a program
// with colours. A recording has no use for colours anyway.
const util = require("node:util");
const { emptyNotes } = require("./notes");

util.inspect = new Proxy(util.inspect, {
  apply(inspect, self, [value, options, ...rest]) {
    const plain = options?.colors ? { ...options, colors: false } : options;
    return Reflect.apply(inspect, self, [value, plain, ...rest]);
  },
});

emptyNotes();
