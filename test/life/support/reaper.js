"use strict";

// Stops every rig below a folder and removes it, when the process that holds the other end of stdin is gone.
// usage: node reaper.js RIG FOLDER
const { spawnSync } = require("node:child_process");
const { existsSync, readdirSync, rmSync } = require("node:fs");
const { join } = require("node:path");

const [, , rig = "", folder = ""] = process.argv;

process.on("SIGINT", () => undefined);
process.stdin.resume();
process.stdin.on("end", () => {
  const rigs = existsSync(folder)
    ? readdirSync(folder).filter((name) => existsSync(join(folder, name, "port")))
    : [];
  for (const name of rigs) {
    spawnSync(rig, ["stop", join(folder, name)], { stdio: "ignore" });
  }
  rmSync(folder, { recursive: true, force: true });
});
