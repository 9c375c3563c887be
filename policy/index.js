"use strict";

// The policy pack: `pulumi up --policy-pack policy`. Pulumi loads this file, and checks the types of TypeScript that it
// loads by itself; so the project's own loader, which does not, comes first. The installed package has JavaScript.
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const isClone = !existsSync(join(__dirname, "pack.js"));
if (isClone) {
  // Its name is in a variable, so that the package is not built with it.
  const loader = "../scripts/typescript";
  require(loader);
}

/** @returns {{ PolicyPack: new (name: string, args: object) => object }} */
function sdk() {
  const name = "@pulumi/policy";
  try {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-return
    return require(name);
  } catch (error) {
    const { dependencies } = /** @type {{ dependencies: Record<string, string> }} */ (
      JSON.parse(readFileSync(join(__dirname, "package.json"), "utf8"))
    );
    const to = isClone
      ? "here: npm install --no-save"
      : "beside capz-windows: npm install --save-dev --save-exact";
    throw /** @type {{ code?: string }} */ (error).code === "MODULE_NOT_FOUND"
      ? new Error(
          `The policy pack needs the package ${name}, which plans and deployments do not need. Install it ${to} ${name}@${dependencies[name]}`,
        )
      : error;
  }
}

const { PolicyPack } = sdk();
const { packOf } = require("./pack");

const { PULUMI_CONFIG = "{}", PULUMI_STACK, PULUMI_NODEJS_STACK = "" } = process.env;
new PolicyPack(
  "capz-windows",
  packOf({
    stack: PULUMI_STACK ?? PULUMI_NODEJS_STACK,
    config: JSON.parse(PULUMI_CONFIG),
    today: new Date().toISOString().slice(0, 10),
  }),
);
