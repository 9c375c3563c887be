import { spawnSync } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { projectDir } from "../support/projectDir";

/** A device on which nothing can be written, of Linux. */
const full = "/dev/full";

(existsSync(full) ? it : it.skip)(
  "output on a full disk is an error, also at the end of a long command",
  () => {
    const command = 'new Promise((r) => setTimeout(r, 20)).then(() => (process.stdout.write("x"), 0))';
    const code = `require("./scripts/typescript"); require("capz-windows-kit/commandLine/main").endWith(${command})`;
    const { status, stderr } = spawnSync(process.execPath, ["-e", code], {
      ...{ cwd: projectDir, encoding: "utf8" },
      stdio: ["ignore", openSync(full, "w"), "pipe"],
    });
    expect([status, stderr]).toEqual([
      1,
      "The output cannot be written: ENOSPC: no space left on device, write.\n",
    ]);
  },
);
