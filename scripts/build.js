"use strict";

// Builds the npm package into dist/, ready for `npm pack`: JavaScript with types and source maps, the files that it reads, and
// a package.json without what only a clone needs.
const { execFileSync } = require("node:child_process");
const { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { basename, join, resolve } = require("node:path");
const { parseArgs } = require("node:util");
const { readJson } = require("./json");
const { bundle, compiled } = require("./bundle");
const { packageText } = require("./packageTexts");

const root = join(__dirname, "..");
const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(root, "dist") },
    // The address of the repository that builds it, such as https://github.com/OWNER/NAME: provenance needs it.
    repository: { type: "string" },
    // JavaScript alone, in a second instead of twenty: for tests.
    untyped: { type: "boolean", default: false },
  },
});
const out = values.out;

/** @typedef {{ include: readonly string[] }} TsConfig */
/** @typedef {Readonly<Record<string, unknown>> & { version: string, dependencies: Readonly<Record<string, string>> }} Manifest */

/** Loaders of TypeScript: the package is JavaScript. */
const forTypeScript = ["@swc/core", "ts-node", "typescript"];

/** What packages/kit/io/optionalPackage.ts loads: 91 of 305 MB, and only some commands need it. */
const optional = ["@azure/identity", "@kubernetes/client-node"];

rmSync(out, { recursive: true, force: true });
const project = join(root, "tsconfig.build.json");
if (values.untyped) {
  const { parseJsonConfigFileContent, readConfigFile, sys } = /** @type {typeof import("typescript")} */ (
    require("typescript")
  );
  for (const file of parseJsonConfigFileContent(readConfigFile(project, sys.readFile).config, sys, root)
    .fileNames) {
    const { to, code, map } = compiled(file, out);
    writeFileSync(to, `${code}\n//# sourceMappingURL=${basename(to)}.map\n`);
    writeFileSync(`${to}.map`, map);
  }
} else {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", project, "--outDir", out], { stdio: "inherit" });
}

// The packages of this repository are a part of this one: their names become paths.
bundle(out);

// What the code reads stands beside it: scripts for nodes, knowledge of the doctor, styles, schemas of CRDs.
const isFolder = (/** @type {string} */ name) => !name.includes(".");
for (const folder of readdirSync(out).filter(isFolder)) {
  cpSync(join(root, folder), join(out, folder), {
    recursive: true,
    filter: (path) =>
      !/\.(ts|js|md)$|package\.json$|[\\/]packages[\\/](test-kit|[^\\/]+[\\/]test)$/.test(path),
  });
}
for (const part of [
  "README.md",
  "AGENTS.md",
  "LICENSE",
  "CHANGELOG.md",
  "SECURITY.md",
  "docs",
  "examples",
  "schema",
  "PulumiPlugin.yaml",
]) {
  cpSync(join(root, part), join(out, part), {
    recursive: true,
    filter: (path) => !path.endsWith("docs/pictures"),
  });
}
const { commandNames } = /** @type {{ commandNames: readonly string[] }} */ (
  require(join(resolve(out), "packages/kit/commandLine/commandNames.js"))
);
const manifest = /** @type {Manifest} */ (readJson(join(root, "package.json")));
const { name, version, description, license, engines } = manifest;
for (const path of readdirSync(out, { recursive: true, encoding: "utf8" })) {
  if (/\.(js|md|yaml)$/.test(path)) {
    const text = readFileSync(join(out, path), "utf8");
    writeFileSync(join(out, path), packageText(path.replaceAll("\\", "/"), text, commandNames));
  }
}
if (values.repository !== undefined) {
  // The package has no pictures; its page at npm shows those of the repository.
  const pictures = `](${values.repository}/raw/v${version}/docs/pictures/`;
  for (const path of [join(out, "README.md"), join(out, "docs/package.md")]) {
    const text = readFileSync(path, "utf8").replaceAll("](docs/pictures/", pictures);
    writeFileSync(path, text.replaceAll("https://github.com/OWNER/REPOSITORY", values.repository));
  }
}
chmodSync(join(out, "commands/package/bin.js"), 0o755);

/** @param {(dependency: string) => boolean} isWanted */
const dependencies = (isWanted) =>
  Object.fromEntries(Object.entries(manifest.dependencies).filter(([dependency]) => isWanted(dependency)));
writeFileSync(
  join(out, "package.json"),
  `${JSON.stringify(
    {
      ...{ name, version, description, license, engines },
      ...(values.repository === undefined
        ? {}
        : {
            repository: { type: "git", url: `git+${values.repository}.git` },
            homepage: `${values.repository}#readme`,
            bugs: { url: `${values.repository}/issues` },
          }),
      publishConfig: { access: "public", provenance: true },
      // What Pulumi starts for programs in other languages; what programs import is in `exports`.
      main: "components/plugin.js",
      types: "index.d.ts",
      exports: {
        ".": { types: "./index.d.ts", default: "./index.js" },
        "./components": { types: "./components/index.d.ts", default: "./components/index.js" },
        "./plan-engine": {
          types: "./packages/plan-engine/index.d.ts",
          default: "./packages/plan-engine/index.js",
        },
        "./schema/stack.schema.json": "./schema/stack.schema.json",
        "./schema/plan.schema.json": "./schema/plan.schema.json",
        "./schema/doctor.schema.json": "./schema/doctor.schema.json",
        "./schema/preflight.schema.json": "./schema/preflight.schema.json",
        "./schema/components.json": "./schema/components.json",
        "./package.json": "./package.json",
      },
      bin: { "capz-windows": "commands/package/bin.js" },
      dependencies: dependencies((each) => !forTypeScript.includes(each) && !optional.includes(each)),
      peerDependencies: dependencies((each) => optional.includes(each)),
      peerDependenciesMeta: Object.fromEntries(optional.map((each) => [each, { optional: true }])),
    },
    null,
    2,
  )}\n`,
);
