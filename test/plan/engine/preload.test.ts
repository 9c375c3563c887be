import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { projectDir } from "../../support/stacks";

/** Runs JavaScript as the engine starts a program. */
function run(script: string): string {
  const preload = join(projectDir, "plan/engine/preload.js");
  return spawnSync(process.execPath, ["-r", preload, "-e", script], { encoding: "utf8" }).stdout;
}

const translate = `Error.prepareStackTrace = (error, frames) => "translated " + error.message;`;

describe("in a program's process", () => {
  it("stack traces are those of whoever translates them", () => {
    expect(run(`${translate} console.log(new Error("a").stack);`)).toBe("translated a\n");
    expect(run(`console.log(new Error("a").stack.split("\\n")[0]);`)).toBe("Error: a\n");
  });

  it("the SDK's notes about promises are not worth a translation", () => {
    const note = `require("node:vm").runInThisContext("new Error('a').stack", { filename: "/sdk/runtime/debuggable.js" })`;
    expect(run(`${translate} console.log(JSON.stringify(${note}));`)).toBe('""\n');
  });
});
