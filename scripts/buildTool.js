"use strict";

// Builds the npm package of a tool that needs no capz-windows, ready for `npm pack`: its JavaScript, that of the packages of
// this repository which its manifest names, and a package.json with their dependencies.
const { chmodSync, cpSync, readFileSync, readdirSync, rmSync, writeFileSync } = require("node:fs");
const { basename, join } = require("node:path");
const { parseArgs } = require("node:util");
const { bundle, compiled, packageFolders, toolFolders } = require("./bundle");
const { readJson } = require("./json");
const { toolText } = require("./packageTexts");

/**
 * @typedef {Readonly<Record<string, string>>} Versions
 * @typedef {{ name: string, version: string, description: string, license: string, engines: object, dependencies?: Versions }} Manifest
 */

const root = join(__dirname, "..");
const { values, positionals } = parseArgs({
  options: {
    out: { type: "string" },
    // As for build.js.
    repository: { type: "string" },
  },
  allowPositionals: true,
});
const [tool = ""] = positionals;
const folder = toolFolders.get(tool);
if (folder === undefined) {
  console.error(`Name a tool: ${[...toolFolders.keys()].join(", ")}.`);
  process.exit(64);
}
const out = values.out ?? join(root, "dist", tool);

/**
 * @param {string} of
 * @returns {Manifest}
 */
const manifestOf = (of) => /** @type {Manifest} */ (readJson(join(root, of, "package.json")));

/** The folders of the tool and of the packages that it needs. */
const needed = new Set([folder]);
/** @type {Record<string, string>} */
const dependencies = {};
for (const each of needed) {
  for (const [name, version] of Object.entries(manifestOf(each).dependencies ?? {})) {
    const own = packageFolders.get(name);
    if (own === undefined) {
      dependencies[name] = version;
    } else {
      needed.add(own);
    }
  }
}

rmSync(out, { recursive: true, force: true });
for (const each of needed) {
  for (const path of readdirSync(join(root, each), { recursive: true, encoding: "utf8" })) {
    const file = join(root, each, path);
    if (/^test[\\/]/.test(path)) {
      continue;
    }
    if (path.endsWith(".ts")) {
      const { to, code } = compiled(file, out);
      writeFileSync(to, code);
    } else if (/\.(?:ya?ml|json|ps1|sh)$/.test(path) && basename(path) !== "package.json") {
      cpSync(file, join(out, each, path), { recursive: true });
    }
  }
}
bundle(out);
for (const path of readdirSync(out, { recursive: true, encoding: "utf8" })) {
  if (/\.(?:js|ya?ml)$/.test(path)) {
    writeFileSync(join(out, path), toolText(tool, readFileSync(join(out, path), "utf8")));
  }
}
cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
writeFileSync(join(out, "README.md"), toolText(tool, readFileSync(join(root, folder, "README.md"), "utf8")));
chmodSync(join(out, folder, "bin.js"), 0o755);
const { name, version, description, license, engines } = manifestOf(folder);
writeFileSync(
  join(out, "package.json"),
  `${JSON.stringify(
    {
      ...{ name, version, description, license, engines },
      ...(values.repository === undefined
        ? {}
        : { repository: { type: "git", url: `git+${values.repository}.git`, directory: folder } }),
      publishConfig: { access: "public", provenance: true },
      bin: { [tool]: `${folder}/bin.js` },
      dependencies,
    },
    null,
    2,
  )}\n`,
);
