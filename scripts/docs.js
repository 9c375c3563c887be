"use strict";

// Writes what is generated from config/schema/: the JSON Schema for editors and the option table. A test compares.
const { mkdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
require("./typescript");
const { configDocument, stackFileSchema } = require("../config/schemaDocs.ts");

mkdirSync(join(root, "schema"), { recursive: true });
writeFileSync(join(root, "schema/stack.schema.json"), `${JSON.stringify(stackFileSchema(), null, 2)}\n`);
writeFileSync(join(root, "docs/config.md"), configDocument());
