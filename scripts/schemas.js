"use strict";

// Fetches the CRDs of the pinned providers, for tests that validate against them:
//   npm run schemas                             into .cache/schemas/, each file verified by its sha256
//   CAPZ_WINDOWS_CRDS=.cache/schemas npm test
//   npm run schemas -- --pin                    after a change of the versions in packages/platform/versions.ts: writes
//                                               scripts/schemas/pins.json
const { writeFileSync } = require("node:fs");
const { join, relative, resolve } = require("node:path");
const { parseArgs } = require("node:util");
const { readJson } = require("./json");

const { values } = parseArgs({
  options: {
    pin: { type: "boolean", default: false },
    out: { type: "string", default: join(__dirname, "../.cache/schemas") },
    // For tests.
    "base-url": { type: "string" },
    pins: { type: "string", default: join(__dirname, "schemas/pins.json") },
  },
});
require("./typescript");
const { fetchSchemas, pinnedReleases, pinSchemas } = require("./schemas/schemas.ts");

const shown = (/** @type {string} */ path) => relative(process.cwd(), path) || ".";

async function main() {
  const pins = /** @type {import("./schemas/schemas.ts").SchemaPins} */ (readJson(values.pins));
  const source = { baseUrl: values["base-url"] };
  if (values.pin) {
    const pinned = await pinSchemas(pins, pinnedReleases, source);
    writeFileSync(values.pins, `${JSON.stringify(pinned, null, 2)}\n`);
    console.log(`${shown(values.pins)}: ${Object.keys(pinned).length} releases`);
    console.log(`To judge them:
  npm run schemas
  npm run crd-types -- --crds .cache/schemas
  CAPZ_WINDOWS_CRDS=.cache/schemas npm run test:all
  npm run plan -- --all --against origin/main
  CAPZ_WINDOWS_RIG=... CAPZ_WINDOWS_CONTROLLERS=... CAPZ_WINDOWS_LIVES=all npx jest test/controllers test/life
CAPZ_WINDOWS_CONTROLLERS is a folder with the managers of the new releases (CONTRIBUTING.md).`);
    return;
  }
  const out = resolve(values.out);
  const { files, downloaded } = await fetchSchemas(pins, out, source);
  console.log(`${shown(out)}: ${files} CRDs, ${downloaded} of them downloaded`);
}

main().catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
