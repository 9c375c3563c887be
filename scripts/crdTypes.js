"use strict";

// Writes packages/capz-types/crds/: the types and the list semantics of the CRDs of the pinned releases. A test checks that the
// files are up to date.
const { mkdirSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { parseArgs } = require("node:util");

const { values } = parseArgs({
  options: { crds: { type: "string", default: process.env.CAPZ_WINDOWS_CRDS } },
});
if (values.crds === undefined) {
  console.error(
    "Name a folder of CRDs: npm run crd-types -- --crds FOLDER, or the variable CAPZ_WINDOWS_CRDS.",
  );
  process.exit(64);
}

require("./typescript");
const { generateCrdFiles } = require("./crds/generate.ts");
const { readKindGroups } = require("./crds/read.ts");

const out = join(__dirname, "..", "packages/capz-types/crds");
try {
  const files = generateCrdFiles(readKindGroups(values.crds));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(out, name), text);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
