"use strict";

// Prints the stacks that the workflows deploy as a JSON list for a matrix: those of DEPLOY_STACKS ("dev prod"), in that
// order.
//   node scripts/ci/stacks.js [--only STACK]      in the folder of the stack files
const { existsSync } = require("node:fs");
const { parseArgs } = require("node:util");

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const named = (process.env.DEPLOY_STACKS ?? "").split(/[\s,]+/).filter((name) => name !== "");

const fail = (/** @type {string} */ message) => {
  console.error(message);
  process.exit(1);
};

// The names become those of environments, artifacts and files.
const odd = named.filter((name) => !/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/.test(name));
if (odd.length > 0) {
  fail(`DEPLOY_STACKS: ${odd.map((name) => JSON.stringify(name)).join(", ")}: no name of a stack`);
}
const missing = named.filter((name) => !existsSync(`Pulumi.${name}.yaml`));
if (missing.length > 0) {
  fail(`DEPLOY_STACKS: ${missing.join(", ")}: there is no such Pulumi.<stack>.yaml`);
}
if (values.only !== "" && !named.includes(values.only)) {
  fail(`The stack to deploy must be one of DEPLOY_STACKS: ${named.join(", ")}`);
}
console.log(JSON.stringify(values.only === "" ? [...new Set(named)] : [values.only]));
