"use strict";

// Lets Node.js load the project's TypeScript as `pulumi` does: transpiled by swc, types not checked.
const nodeModule = require("node:module");
const { join } = require("node:path");

const root = join(__dirname, "..");
// From Node.js 22 on, compiled code is kept for the next run; the programs that a plan starts use the same folder.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/capz-windows");
if ("enableCompileCache" in nodeModule) {
  /** @type {{ enableCompileCache: (dir?: string) => void }} */ (nodeModule).enableCompileCache(
    process.env.NODE_COMPILE_CACHE,
  );
}

require("ts-node").register({ project: join(root, "tsconfig.pulumi.json") });
