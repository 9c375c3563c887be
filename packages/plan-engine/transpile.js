"use strict";

// Lets Node.js load a project's TypeScript as `pulumi` does if its tsconfig sets `noCheck` and, for ts-node, `swc`:
// transpiled by swc, without type checks. ts-node itself is not used, because it first loads the TypeScript compiler
// (0.2 s of CPU time). The output is cached by the hash of the source, so swc is loaded only if a file has changed.
const { createHash, randomUUID } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");

/* eslint-disable @typescript-eslint/no-deprecated -- ts-node passes options that are deprecated. */
/**
 * What ts-node passes to swc for `target: es2022, module: node16, esModuleInterop: true` in a CommonJS project.
 * @type {import("@swc/core").Options}
 */
const swcOptions = {
  sourceMaps: true,
  inlineSourcesContent: false,
  swcrc: false,
  module: { type: "commonjs", noInterop: false, strictMode: true, ignoreDynamic: true },
  jsc: {
    parser: { syntax: "typescript", tsx: false, dynamicImport: true },
    target: "es2022",
    transform: { legacyDecorator: true, useDefineForClassFields: true },
    keepClassNames: true,
    experimental: { keepImportAttributes: true, emitAssertForImportAttributes: true },
  },
};
/* eslint-enable @typescript-eslint/no-deprecated */

/**
 * Functions that read the source map of a loaded file, by file name; called when a stack trace needs it.
 * @type {Map<string, () => string>}
 */
const maps = new Map();

/**
 * The JavaScript of a TypeScript file: from the cache, or transpiled and then cached. Several processes may write the
 * cache at the same time, because a file appears in it by a rename. If the cache cannot be written, nothing is cached.
 * @param {string} file
 * @param {{ readonly cacheDir: string, readonly require: NodeJS.Require, readonly version: string }} by
 */
function javaScriptOf(file, { cacheDir, require: load, version }) {
  const source = readFileSync(file, "utf8");
  const key = createHash("sha256").update(version).update(source).digest("hex").slice(0, 32);
  const kept = join(cacheDir, key.slice(0, 2), key);
  try {
    const code = readFileSync(`${kept}.js`, "utf8");
    maps.set(file, () => readFileSync(`${kept}.map`, "utf8"));
    return code;
  } catch {
    // It is not in the cache.
  }
  const swc = /** @type {typeof import("@swc/core")} */ (load("@swc/core"));
  const { code, map = "" } = swc.transformSync(source, { ...swcOptions, filename: file });
  maps.set(file, () => map);
  try {
    mkdirSync(join(cacheDir, key.slice(0, 2)), { recursive: true });
    // The map is written first, so that a process that finds the code also finds its map.
    for (const [end, text] of /** @type {const} */ ([
      [".map", map],
      [".js", code],
    ])) {
      const unfinished = `${kept}.${randomUUID()}`;
      writeFileSync(unfinished, text);
      renameSync(unfinished, kept + end);
    }
  } catch {
    // The cache cannot be written: the file is transpiled again the next time.
  }
  return code;
}

/**
 * Parsed source maps by file name; `undefined` for a file without one.
 * @type {Map<string, Module.SourceMap | undefined>}
 */
const parsed = new Map();

/** @param {string} file */
function mapOf(file) {
  if (!parsed.has(file)) {
    try {
      const payload = /** @type {Module.SourceMapPayload} */ (JSON.parse(maps.get(file)?.() ?? ""));
      parsed.set(file, new Module.SourceMap(payload));
    } catch {
      parsed.set(file, undefined);
    }
  }
  return parsed.get(file);
}

/**
 * One frame of a stack trace, with the position in the TypeScript source if the file was transpiled. The SDK finds the
 * line of a resource only in frames with a function name. An anonymous function therefore gets the name by which it was
 * called, as with ts-node's source maps, so that the SDK picks the same frame.
 * @param {NodeJS.CallSite} frame
 * @param {string | undefined} caller
 */
function frameText(frame, caller) {
  const text = /** @type {{ toString(): string }} */ (frame).toString();
  const file = frame.getFileName() ?? "";
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
  const { originalLine, originalColumn = 0 } = entryOf(frame) ?? {};
  if (originalLine === undefined) {
    return text;
  }
  const place = `${file}:${originalLine + 1}:${originalColumn + 1}`;
  const mapped = text.replace(`${file}:${line ?? ""}:${column ?? ""}`, () => place);
  return mapped.endsWith(")") || caller === undefined
    ? mapped
    : mapped.replace(place, () => `${caller} (${place})`);
}

/**
 * The entry of the source map for a frame's position.
 * @param {NodeJS.CallSite} frame
 * @returns {Partial<Module.SourceMapping & { name: string }> | undefined}
 */
function entryOf(frame) {
  const file = frame.getFileName() ?? "";
  return maps.has(file)
    ? mapOf(file)?.findEntry((frame.getLineNumber() ?? 1) - 1, (frame.getColumnNumber() ?? 1) - 1)
    : undefined;
}

/**
 * The name by which a frame's function was called. Frames of built-in functions, such as Array.map, are skipped.
 * @param {NodeJS.CallSite} frame
 * @param {readonly NodeJS.CallSite[]} outer
 */
function callerName(frame, outer) {
  const caller = outer.find((one) => one.getFileName() != null);
  const file = caller?.getFileName() ?? "";
  if (caller && maps.has(file)) {
    return entryOf(caller)?.name;
  }
  // The SDK calls a function by some name. There is no name if it awaits the function or if Node.js calls it.
  const isCall = caller && !frame.isAsync() && !file.startsWith("node:");
  return isCall ? "<anonymous>" : undefined;
}

/** @param {Error} error */
function headOf(error) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "Error";
  }
}

/**
 * A line of a stack trace, with the position in TypeScript.
 * @param {NodeJS.CallSite} frame
 * @param {number} index
 * @param {readonly NodeJS.CallSite[]} frames
 */
const typeScriptFrame = (frame, index, frames) =>
  `    at ${frameText(frame, callerName(frame, frames.slice(index + 1)))}`;

/**
 * A stack trace with positions in TypeScript, for `Error.prepareStackTrace`.
 * @type {NonNullable<typeof Error.prepareStackTrace>}
 */
const typeScriptStack = (error, frames) => [headOf(error), ...frames.map(typeScriptFrame)].join("\n");

/** @typedef {(module: NodeJS.Module, file: string) => void} Loader */

/** @type {Map<string, Loader>} */
const loaders = new Map();

/**
 * A loader of TypeScript files for `require.extensions[".ts"]`.
 * @param {string} root folder of the node_modules that has @swc/core and gets the cache
 * @returns {Loader}
 */
function typeScriptLoader(root) {
  const known = loaders.get(root);
  if (known) {
    return known;
  }
  const load = Module.createRequire(join(root, "package.json"));
  const { version } = /** @type {{ version: string }} */ (load("@swc/core/package.json"));
  const cacheDir = join(root, "node_modules/.cache/pulumi-plan-engine");
  const by = { cacheDir, require: load, version: JSON.stringify([version, swcOptions]) };
  /** @type {Loader} */
  const loader = (module, file) => {
    const compile = /** @type {{ _compile(code: string, file: string): void }} */ (
      /** @type {unknown} */ (module)
    );
    compile._compile(javaScriptOf(file, by), file);
  };
  loaders.set(root, loader);
  return loader;
}

module.exports = { typeScriptLoader, typeScriptStack };
