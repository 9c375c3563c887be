"use strict";

// Lets Node.js load TypeScript of a project as `pulumi` does when its tsconfig says `noCheck` and ts-node's `swc`:
// transpiled by swc, types not checked. Without ts-node, because that loads the TypeScript compiler first (0.2 s of CPU
// time); and what was transpiled once is kept, by the hash of the source, so that swc is loaded for changed files only.
const { createHash, randomUUID } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");

/** What ts-node hands to swc for `target: es2022, module: node16, esModuleInterop: true` in a CommonJS project. */
/** @type {import("@swc/core").Options} */
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
    // As ts-node says it.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    experimental: { keepImportAttributes: true, emitAssertForImportAttributes: true },
  },
};

/**
 * By file name: where the source map of what runs is; read when a stack trace needs it.
 * @type {Map<string, () => string>}
 */
const maps = new Map();

/**
 * A file's JavaScript from the cache, or transpiled and put there. Two processes may do so at the same time: a reader
 * sees a whole file or none. A folder that cannot be written is no reason to stop.
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
    // Not there yet.
  }
  const swc = /** @type {typeof import("@swc/core")} */ (load("@swc/core"));
  const { code, map = "" } = swc.transformSync(source, { ...swcOptions, filename: file });
  maps.set(file, () => map);
  try {
    mkdirSync(join(cacheDir, key.slice(0, 2)), { recursive: true });
    // The map first: who finds the code finds its map.
    for (const [end, text] of /** @type {const} */ ([
      [".map", map],
      [".js", code],
    ])) {
      const unfinished = `${kept}.${randomUUID()}`;
      writeFileSync(unfinished, text);
      renameSync(unfinished, kept + end);
    }
  } catch {
    // Transpiled again the next time.
  }
  return code;
}

/**
 * By file name, undefined where there is no source map.
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
 * One line of a stack trace, in lines of TypeScript where it is in a transpiled file. A function without a name gets
 * one, because the SDK looks for the line of a resource only in frames with a name: that by which it was called, as
 * ts-node's source maps do it, so that it is the same frame.
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
 * What the source map says of a frame's place.
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
 * The name at the place from which a frame was called; built-in functions stand between, such as Array.map.
 * @param {NodeJS.CallSite} frame
 * @param {readonly NodeJS.CallSite[]} outer
 */
function callerName(frame, outer) {
  const caller = outer.find((one) => one.getFileName() != null);
  const file = caller?.getFileName() ?? "";
  if (caller && maps.has(file)) {
    return entryOf(caller)?.name;
  }
  // The SDK calls a function by some name; where it awaits one, or where Node.js calls it, there is none.
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
 * A line of a stack trace, in lines of TypeScript.
 * @param {NodeJS.CallSite} frame
 * @param {number} index
 * @param {readonly NodeJS.CallSite[]} frames
 */
const typeScriptFrame = (frame, index, frames) =>
  `    at ${frameText(frame, callerName(frame, frames.slice(index + 1)))}`;

/**
 * A stack trace in lines of TypeScript, as `Error.prepareStackTrace` makes it.
 * @type {NonNullable<typeof Error.prepareStackTrace>}
 */
const typeScriptStack = (error, frames) => [headOf(error), ...frames.map(typeScriptFrame)].join("\n");

/** @typedef {(module: NodeJS.Module, file: string) => void} Loader */

/** @type {Map<string, Loader>} */
const loaders = new Map();

/**
 * A loader of TypeScript files for `require.extensions[".ts"]`.
 * @param {string} root folder with the node_modules in which @swc/core is, and in which the cache goes
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

module.exports = { typeScriptFrame, typeScriptLoader, typeScriptStack };
