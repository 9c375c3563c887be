"use strict";

// Installs the packages of the lock file if they are missing. `npm start`, `npm test` and the other commands run this
// first, so that a fresh clone needs no other command. It uses no packages itself, because there may be none yet.

const { createHash } = require("node:crypto");
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { spawnSync } = require("node:child_process");

const root = join(__dirname, "..");
const stamp = join(root, "node_modules", ".capz-windows-lock");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

/** @typedef {{ version?: string, integrity?: string, optional?: boolean }} Installed */

/**
 * @param {string} file
 * @returns {Record<string, Installed>}
 */
function packagesOf(file) {
  const { packages } = /** @type {{ packages: Record<string, Installed> }} */ (
    JSON.parse(readFileSync(file, "utf8"))
  );
  return packages;
}

/**
 * Whether npm's own record of node_modules, which it writes last, has every package of the lock file. That is so after
 * an `npm ci` by hand, or if several checkouts share one node_modules. Optional packages may be missing, because they
 * may be for other platforms.
 */
function isInstalled() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) {
    return false;
  }
  const lock = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(record);
  return Object.entries(lock).every(
    ([path, { optional = false, version, integrity }]) =>
      path === "" ||
      (path in installed
        ? installed[path]?.version === version && installed[path]?.integrity === integrity
        : optional),
  );
}

// The stamp is written last, so an interrupted installation is repeated.
if (!(existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) && !isInstalled()) {
  console.error("Installing the packages of package-lock.json (about half a minute) ...");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("npm ci failed, see above. The program needs Node 20 or newer and the npm registry.");
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, wanted);
}
