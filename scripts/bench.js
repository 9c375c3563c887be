"use strict";

// Measures what plans cost, in turn in one run: npm run bench [-- --runs N] [-- --clone]
//   empty   the plan of a program that imports the same SDK modules and registers nothing, by the same command: the minimum
//   dev     the example dev; the goal is at most 1.25 times the CPU time of empty
//   bare    a program that registers the recorded resources of dev, of 10 and of 100 pools with the SDK, and does nothing else:
//           what the SDK, the engine and the files cost, without the configuration and the building of objects
//   host    the example dev by the language-host protocol, with a process for each of the two runs
//   pools   1, 10 and 100 Windows pools; the goal for 100 is at most 1.5 times the CPU time of 10, and twice its memory
//   plain, everything   the pools of the example everything without any options, and the whole example; the goal is at most
//           1.1 times the CPU time, because options and add-ons should cost little
//   clone   (--clone) `npm start` in a fresh clone with a warm npm cache
// CPU time is the sum of all processes, because it depends least on the load of the machine; memory is the peak of the
// largest process. Both are read from /proc, so this needs Linux.
const { spawnSync } = require("node:child_process");
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { parseArgs } = require("node:util");
const { scripts } = require("../package.json");
const { measure, medians } = require("./bench/measure");
const { bareProject, emptyProject, poolsProject } = require("./bench/projects");
const { report } = require("./bench/report");

/** @typedef {import("./bench/measure").Cost} Cost */
/** @typedef {import("./bench/report").Name} Name */

const root = join(__dirname, "..");
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    clone: { type: "boolean", default: false },
  },
});

/** The options that `npm run plan` gives Node.js. */
const nodeOptions = scripts.plan.split(" ").filter((word) => word.startsWith("--"));

function cloneAndStart() {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-bench-"));
  try {
    spawnSync("git", ["clone", "--quiet", root, dir]);
    const started = performance.now();
    const { status, stderr } = spawnSync("npm", ["start"], { cwd: dir, encoding: "utf8" });
    const wall = (performance.now() - started) / 1000;
    console.log(status === 0 ? `clone      ${wall.toFixed(1)} s until \`npm start\` is done` : stderr);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function main() {
  const empty = emptyProject();
  const pools = poolsProject();
  const bare = bareProject(pools, join(pools, "rendered"));
  const preserve = ["--preserve-symlinks", "--preserve-symlinks-main"];
  const example = ["--config-file", join(root, "examples/Pulumi.dev.yaml")];
  /** @type {(dir: string, stack: string, ...more: readonly string[]) => { dir: string, args: string[] }} */
  const plan = (dir, stack, ...more) => ({
    dir,
    args: [
      ...[...nodeOptions, ...preserve, join(dir, "scripts/plan.js")],
      ...["--stack", stack, "--out", join(dir === bare ? bare : pools, "rendered", stack), ...more],
    ],
  });
  /** @type {Record<Name, ReturnType<typeof plan>>} */
  const cases = {
    empty: plan(empty, "dev", ...example),
    dev: plan(root, "dev", ...example),
    host: plan(root, "dev", ...example, "--engine", "language-host"),
    "pools 1": plan(pools, "pools1"),
    "pools 10": plan(pools, "pools10"),
    "pools 100": plan(pools, "pools100"),
    plain: plan(pools, "plain"),
    everything: plan(pools, "everything"),
    // After the cases that write the plans that they read.
    "bare dev": plan(bare, "dev"),
    "bare 10": plan(bare, "pools10"),
    "bare 100": plan(bare, "pools100"),
  };
  try {
    /** @type {Map<string, Cost[]>} */
    const results = new Map(Object.keys(cases).map((name) => [name, []]));
    // The first round only warms the caches. Each further round runs all cases, so that load on the machine affects all.
    for (let round = 0; round <= Number(values.runs); round += 1) {
      for (const [name, { dir, args }] of Object.entries(cases)) {
        const run = await measure(args, dir);
        if (round > 0) {
          results.get(name)?.push(run);
        }
      }
    }
    /** @param {Name} name */
    const of = (name) => medians(results.get(name) ?? []);
    report(values.runs, {
      ...{
        empty: of("empty"),
        dev: of("dev"),
        host: of("host"),
        plain: of("plain"),
        everything: of("everything"),
      },
      ...{ "pools 1": of("pools 1"), "pools 10": of("pools 10"), "pools 100": of("pools 100") },
      ...{ "bare dev": of("bare dev"), "bare 10": of("bare 10"), "bare 100": of("bare 100") },
    });
    if (values.clone) {
      cloneAndStart();
    }
  } finally {
    for (const dir of [empty, pools, bare]) {
      rmSync(dir, { recursive: true, force: true });
    }
  }
}

main().catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
