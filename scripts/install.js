"use strict";

// Installs what is missing, from the lock file: `npm start` and `npm test` run this first, so that a fresh clone needs
// no other command. Plain JavaScript without packages, because there may be none yet.

const { createHash } = require("node:crypto");
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { spawnSync } = require("node:child_process");

const root = join(__dirname, "..");
const stamp = join(root, "node_modules", ".capz-windows-lock");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");

// The stamp is written last, so an interrupted installation is done again.
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
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
