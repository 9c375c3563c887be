import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const preload = join(__dirname, "../preload.js");

/** Runs JavaScript like the engine runs a program, with its preload, and returns the standard output. */
function run(script: string): string {
  return spawnSync(process.execPath, ["-r", preload, "-e", script], { encoding: "utf8" }).stdout;
}

const translate = `Error.prepareStackTrace = (error, frames) => "translated " + error.message;`;

describe("in a program's process", () => {
  it("stack traces are those of a registered source map translator", () => {
    expect(run(`${translate} console.log(new Error("a").stack);`)).toBe("translated a\n");
    expect(run(`console.log(new Error("a").stack.split("\\n")[0]);`)).toBe("Error: a\n");
  });

  it("stack traces that the SDK takes of promises are empty, because their translation is slow", () => {
    const note = `require("node:vm").runInThisContext("new Error('a').stack", { filename: "/sdk/runtime/debuggable.js" })`;
    expect(run(`${translate} console.log(JSON.stringify(${note}));`)).toBe('""\n');
  });

  it("a parent that is killed takes a program with it that is in an endless loop", async () => {
    const busy = `console.log("busy"); for (;;) {}`;
    const parent = spawn(
      process.execPath,
      [
        "-e",
        `require("node:child_process").spawn(process.execPath, ${JSON.stringify(["-r", preload, "-e", busy])}, { stdio: "inherit" });`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(parent.stdout, "data");
    parent.kill("SIGKILL");
    // Ends when the last process that can write to it has ended.
    await once(parent.stdout, "close");
    expect(parent.signalCode).toBe("SIGKILL");
  });
});
