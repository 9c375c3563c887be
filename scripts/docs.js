"use strict";

// Writes the generated files: the JSON Schema for editors and docs/config.md from config/schema/, that of
// the reports of plan, doctor and preflight, docs/compatibility.md
// from packages/platform/compatibility.ts, docs/policies.md from config/policy/, docs/troubleshooting.md
// from packages/doctor/knowledge/, the picture of the layers in docs/architecture.md from the imports,
// schema/components.json, schema/plugin.json and the program in docs/components.md from the components, and template/ from what init writes. A test checks that they are up to date.
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
require("./typescript");
const { configDocument } = require("../config/configDocument.ts");
const { compatibilityDocument } = require("../config/compatibilityDocument.ts");
const { policyDocument } = require("../config/policy/document.ts");
const { troubleshootingPage } = require("capz-windows-doctor/report/document");
const { diagnosisSchema } = require("capz-windows-doctor/report/json");
const { preflightSchema } = require("../commands/preflight/json.ts");
const { reportSchema } = require("../plan/reports/json.ts");
const { templateFiles } = require("../commands/init/files.ts");
const { stackFileSchema } = require("../config/schemaDocs.ts");
const { componentsFile, pageSources } = require("../test/components/pages/sources.ts");
const { withProgram } = require("../test/components/pages/page.ts");
const { layersSection, withLayersSection } = require("../test/architecture/layersDocument.ts");

mkdirSync(join(root, "schema"), { recursive: true });
writeFileSync(join(root, "schema/stack.schema.json"), `${JSON.stringify(stackFileSchema(), null, 2)}\n`);
for (const [name, schema] of Object.entries({
  plan: reportSchema(),
  doctor: diagnosisSchema(),
  preflight: preflightSchema(),
})) {
  writeFileSync(join(root, `schema/${name}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
}
writeFileSync(join(root, "docs/config.md"), configDocument());
writeFileSync(join(root, "docs/compatibility.md"), compatibilityDocument());
writeFileSync(join(root, "docs/policies.md"), policyDocument());
writeFileSync(join(root, "docs/troubleshooting.md"), troubleshootingPage());
const architecture = join(root, "docs/architecture.md");
writeFileSync(architecture, withLayersSection(readFileSync(architecture, "utf8"), layersSection()));

rmSync(join(root, "template"), { recursive: true, force: true });
mkdirSync(join(root, "template"));
for (const [name, text] of Object.entries(templateFiles())) {
  writeFileSync(join(root, "template", name), text);
}

async function writeComponents() {
  const sources = await pageSources();
  writeFileSync(
    join(root, "schema/components.json"),
    `${JSON.stringify(componentsFile(sources), null, 2)}\n`,
  );
  writeFileSync(join(root, "schema/plugin.json"), `${JSON.stringify(sources.schema, null, 2)}\n`);
  const page = join(root, "docs/components.md");
  writeFileSync(page, withProgram(readFileSync(page, "utf8"), sources));
}

writeComponents().catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.stack : error);
  process.exitCode = 1;
});
