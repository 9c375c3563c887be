"use strict";

// Lets Node.js load the project's TypeScript as `pulumi` does: transpiled by swc, types not checked.
const nodeModule = require("node:module");
const { join } = require("node:path");
const { typeScriptLoader, typeScriptStack } = require("pulumi-plan-engine/transpile");

const root = join(__dirname, "..");
// Node.js 22 and newer cache compiled code for the next run. Programs that a plan starts use the same folder.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/capz-windows");
if ("enableCompileCache" in nodeModule) {
  /** @type {{ enableCompileCache: (dir?: string) => void }} */ (nodeModule).enableCompileCache(
    process.env.NODE_COMPILE_CACHE,
  );
}

// Deprecated, but the only hook for `require` that also works in Node.js 20; ts-node uses it, too.
// eslint-disable-next-line @typescript-eslint/no-deprecated
require.extensions[".ts"] = typeScriptLoader(root);
Error.prepareStackTrace = typeScriptStack;
