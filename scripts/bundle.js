"use strict";

const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { dirname, join, relative } = require("node:path");
const { readJson } = require("./json");

const root = join(__dirname, "..");

/**
 * The folder of each package of this repository, by its name.
 * @type {ReadonlyMap<string, string>}
 */
const packageFolders = new Map(
  readdirSync(join(root, "packages")).map((folder) => {
    const { name } = /** @type {{ name: string }} */ (
      readJson(join(root, "packages", folder, "package.json"))
    );
    return [name, `packages/${folder}`];
  }),
);

/** Those that are also an npm package of their own: they have a program. */
const toolFolders = new Map(
  [...packageFolders].filter(([, folder]) => existsSync(join(root, folder, "bin.ts"))),
);

/** A module that JavaScript or a declaration names: the quote before it, and its name. */
const specifier = /((?:\bfrom|\bimport|\brequire\w*\(|\bload\(|\bimport\()\s*)(["'])([^"'.][^"']*)\2/g;

/**
 * Replaces the names of packages of this repository by relative paths, in compiled files. A package that holds others as
 * files needs no workspaces, and every package manager installs it alike.
 * @param {string} out - the folder, with packages/ as in the repository
 */
function bundle(out) {
  for (const file of readdirSync(out, { recursive: true, encoding: "utf8" })) {
    if (!/\.(?:js|d\.ts)$/.test(file)) {
      continue;
    }
    const text = readFileSync(join(out, file), "utf8");
    const replaced = text.replace(specifier, (all, before, quote, module) => {
      const [name = "", folder] =
        [...packageFolders].find(([each]) => module === each || String(module).startsWith(`${each}/`)) ?? [];
      if (folder === undefined) {
        return all;
      }
      const rest = String(module).slice(name.length) || "/index";
      const target = `${folder}${rest}`;
      if (![".js", ".d.ts", ""].some((end) => existsSync(join(out, target + end)))) {
        throw new Error(`${file} loads ${module}, which the build does not have.`);
      }
      const path = relative(dirname(join(out, file)), join(out, target)).replaceAll("\\", "/");
      return `${before}${quote}${path.startsWith(".") ? path : `./${path}`}${quote}`;
    });
    if (replaced !== text) {
      writeFileSync(join(out, file), replaced);
    }
  }
}

/**
 * Compiles a TypeScript file of the repository to the same place in a folder, without a check of its types.
 * @param {string} file
 * @param {string} out
 * @returns {{ to: string, code: string, map: string }} not yet written, but its folder is made
 */
function compiled(file, out) {
  const { transformFileSync } = /** @type {typeof import("@swc/core")} */ (require("@swc/core"));
  const to = join(out, relative(root, file)).replace(/ts$/, "js");
  const { code, map = "" } = transformFileSync(file, {
    ...{ swcrc: false, sourceMaps: true, inlineSourcesContent: false },
    module: { type: "commonjs", ignoreDynamic: true },
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
  });
  mkdirSync(dirname(to), { recursive: true });
  return { to, code, map };
}

module.exports = { bundle, compiled, packageFolders, toolFolders };
