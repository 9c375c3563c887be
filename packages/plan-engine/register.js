"use strict";

// Lets Node.js load TypeScript, transpiled by swc, without type checks: node --require pulumi-plan-engine/register --test
// The working directory is the project, whose node_modules has @swc/core. Test runners that compile do not need this.
const { typeScriptLoader, typeScriptStack } = require("./transpile");

// Deprecated, but the only hook for `require` that also works in Node.js 20; ts-node uses it, too.
// eslint-disable-next-line @typescript-eslint/no-deprecated
require.extensions[".ts"] = typeScriptLoader(process.cwd());
Error.prepareStackTrace = typeScriptStack;
