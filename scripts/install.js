"use strict";

// Installs the packages of the lock file if they are missing. `npm start`, `npm test` and the other commands run this
// first, so that a fresh clone needs no other command: as a part of each script, because npm runs no `prestart` where it is
// told to ignore the scripts of packages. It uses no packages itself, because there may be none yet.
//
// With --dev it installs the packages for development, too, which tests and linters need. Without --dev it only keeps them
// where they are.

const { createHash } = require("node:crypto");
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { spawnSync } = require("node:child_process");

const root = join(__dirname, "..");

const [major = ""] = process.versions.node.split(".");
if (Number(major) < 22) {
  console.error(
    `This is Node.js ${process.versions.node}. The supported versions are 22, 24 and 26 (docs/decisions.md); older ones may fail.`,
  );
}
const stamp = join(root, "node_modules", ".capz-windows-lock");
const hasJest = existsSync(join(root, "node_modules/jest/package.json"));
const dev = process.argv.includes("--dev") || hasJest;
const hash = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
const wanted = dev ? hash : `${hash} --omit=dev`;

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, dev?: boolean }} Installed */

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
 * Whether packages are on the disk. Two installations at once may leave npm's record without them.
 * @param {readonly string[]} paths
 */
const areThere = (paths) => paths.every((path) => existsSync(join(root, path, "package.json")));

/**
 * Whether npm's own record of node_modules has every package of the lock file, and the disk, too. That is so after an
 * `npm ci` by hand, or if several checkouts share one node_modules. Optional packages may be missing, because they may be
 * for other platforms.
 */
function isInstalled() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) {
    return false;
  }
  const lock = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(record);
  return Object.entries(lock).every(
    ([path, { optional = false, dev: isForDevelopment = false, version, integrity }]) =>
      path === "" ||
      (isForDevelopment && !dev) ||
      (path in installed
        ? installed[path]?.version === version &&
          installed[path]?.integrity === integrity &&
          (optional || areThere([path]))
        : optional),
  );
}

/** One package of each kind that is needed. */
const examples = ["node_modules/@swc/core", ...(dev ? ["node_modules/jest"] : [])];

// Settings of the user may leave out packages that the commands need, or take the folder for a part of a workspace. No package
// needs a script of its own, and none may run one.
const args = [
  "ci",
  "--ignore-scripts",
  dev ? "--include=dev" : "--omit=dev",
  "--include=optional",
  `--prefix=${root}`,
];

// The stamp is written last, so an interrupted installation is repeated.
const isStamped = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
if (!areThere(examples) || (!isStamped && !isInstalled())) {
  console.error("Installing the packages of package-lock.json (about half a minute) ...");
  // Ctrl-C ends npm, which removes what it has begun. If this process ended first, the next installation could begin before
  // npm is done.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => undefined);
  }
  const { status } = spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  if (status === null || status === 130) {
    process.exit(130);
  }
  if (status !== 0 || !isInstalled()) {
    console.error(
      "npm ci failed, see above. If that does not say why: delete node_modules and start again.\n" +
        "The program needs Node.js 22 or newer and the npm registry.",
    );
    process.exit(status || 1);
  }
  writeFileSync(stamp, wanted);
}
