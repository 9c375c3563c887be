"use strict";

// What the npm package costs its user: the installation, beside one of the Pulumi packages alone and one of this clone without
// packages for development, and a plan, beside the same plan in the clone.
const { execFileSync } = require("node:child_process");
const { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { readJson } = require("../json");
const { measure, median } = require("./measure");

const root = join(__dirname, "../..");

/** @param {string} folder MB of the files in it */
function sizeOf(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0) / 2 ** 20;
}

/**
 * @param {string} cwd
 * @param {string} command
 * @param {readonly string[]} args
 */
const run = (cwd, command, args) =>
  execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/**
 * The folders whose installations are compared, each with a lock file.
 * @param {string} dir
 */
function projects(dir) {
  run(root, process.execPath, ["scripts/build.js", "--out", join(dir, "dist")]);
  run(join(dir, "dist"), "npm", ["pack", "--silent", "--pack-destination", dir]);
  const { version, dependencies } = /** @type {{ version: string, dependencies: Record<string, string> }} */ (
    readJson(join(root, "package.json"))
  );
  /** @type {Record<string, Record<string, string>>} */
  const wanted = {
    package: { "capz-windows": `file:../capz-windows-${version}.tgz` },
    pulumi: Object.fromEntries(Object.entries(dependencies).filter(([name]) => name.startsWith("@pulumi/"))),
  };
  for (const [name, of] of Object.entries(wanted)) {
    mkdirSync(join(dir, name), { recursive: true });
    writeFileSync(join(dir, name, "package.json"), JSON.stringify({ private: true, dependencies: of }));
    run(join(dir, name), "npm", ["install", "--package-lock-only", "--silent"]);
  }
  mkdirSync(join(dir, "clone"));
  for (const file of ["package.json", "package-lock.json"]) {
    cpSync(join(root, file), join(dir, "clone", file));
  }
  return ["package", "pulumi", "clone"];
}

/** @param {number} runs */
async function measureInstalled(runs) {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-bench-"));
  try {
    const names = projects(dir);
    /** @type {Map<string, number[]>} */
    const seconds = new Map([...names, "planPackage", "planClone"].map((name) => [name, []]));
    const example = ["--stack", "dev", "--config-file", join(root, "examples/Pulumi.dev.yaml")];
    // The first round fills the cache of npm. Each round does everything, so that load on the machine affects all.
    for (let round = 0; round <= runs; round += 1) {
      for (const name of names) {
        const started = performance.now();
        run(join(dir, name), "npm", ["ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"]);
        if (round > 0) {
          seconds.get(name)?.push((performance.now() - started) / 1000);
        }
      }
      // The project stands below the packages, so that their installation does not remove it.
      const project = join(dir, "package/project");
      const bin = join(dir, "package/node_modules/capz-windows/commands/package/bin.js");
      if (round === 0) {
        run(join(dir, "package"), process.execPath, [bin, "init", "project", "--yes"]);
      }
      const plans = /** @type {const} */ ([
        ["planPackage", project, bin, ["plan"]],
        ["planClone", root, "scripts/plan.js", []],
      ]);
      for (const [name, cwd, script, args] of plans) {
        const { wall } = await measure([script, ...args, ...example, "--out", join(dir, name)], cwd);
        if (round > 0) {
          seconds.get(name)?.push(wall);
        }
      }
    }
    const time = (/** @type {string} */ name) => median(seconds.get(name) ?? []);
    console.log(`Medians of ${runs} runs on Node ${process.version}, npm with a full cache\n`);
    for (const name of names) {
      const size = sizeOf(join(dir, name, "node_modules"));
      console.log(
        `npm ci ${name.padEnd(8)} ${time(name).toFixed(1).padStart(6)} s ${size.toFixed(0).padStart(5)} MB`,
      );
    }
    const [packaged, cloned] = [time("planPackage"), time("planClone")];
    console.log(
      `plan package    ${packaged.toFixed(2)} s, ${(packaged / cloned).toFixed(2)} times that of the clone (goal: at most 1)`,
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

module.exports = { measureInstalled };
