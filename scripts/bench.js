"use strict";

// Measures what plans cost, in turn in one run: npm run bench [-- --runs N]. Goals are multiples of another row.
// CPU time is the sum of all processes, because it depends least on the load of the machine; memory is the peak of the
// largest process. Both are read from /proc, so this needs Linux. With --installed it measures a project that uses the npm
// package instead, for which npm needs its registry.
const { rmSync } = require("node:fs");
const { join } = require("node:path");
const { parseArgs } = require("node:util");
const { scripts } = require("../package.json");
const { measure, medians } = require("./bench/measure");
const { measureInstalled } = require("./bench/installed");
const { emptyProject, poolsProject } = require("./bench/projects");

/** @typedef {import("./bench/measure").Cost} Cost */
/** @typedef {readonly [what: keyof Cost, of: string, goal?: number]} Comparison */
/** @typedef {{ readonly name: string, readonly dir: string, readonly args: readonly string[], readonly compared: readonly Comparison[] }} Case */

const root = join(__dirname, "..");
const { values } = parseArgs({
  options: {
    ...{ runs: { type: "string", default: "5" }, installed: { type: "boolean", default: false } },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log(`Usage: npm run bench [-- OPTIONS]

Measures what plans cost: CPU time, wall time and memory, as medians of several runs. It needs Linux.

  --runs N      runs of each case; default: 5
  --installed   measure a project that uses the npm package instead`);
  process.exit(0);
}

/** The options that `npm run plan` gives Node.js. */
const nodeOptions = scripts.plan.split(" ").filter((word) => word.startsWith("--"));

const empty = emptyProject();
const pools = poolsProject();
/** @param {string} stack */
const exampleOf = (stack) => ["--stack", stack, "--config-file", join(root, `examples/Pulumi.${stack}.yaml`)];
const example = exampleOf("dev");

/** @type {readonly Case[]} */
const cases = [
  // A program that imports the same modules of the SDK and registers nothing: the minimum.
  { name: "empty", dir: empty, args: example, compared: [] },
  { name: "dev", dir: root, args: example, compared: [["cpu", "empty", 1.25]] },
  // The same by the language-host protocol, with a process for each of the two runs.
  { name: "host", dir: root, args: [...example, "--engine", "language-host"], compared: [["cpu", "dev"]] },
  { name: "pools1", dir: pools, args: ["--stack", "pools1"], compared: [] },
  { name: "pools10", dir: pools, args: ["--stack", "pools10"], compared: [["cpu", "pools1"]] },
  {
    ...{ name: "pools100", dir: pools, args: ["--stack", "pools100"] },
    compared: [
      ["cpu", "pools10", 1.5],
      ["memory", "pools10", 2],
    ],
  },
  // The pools of the example everything without any options, and the whole example: options and add-ons should cost little.
  { name: "plain", dir: pools, args: ["--stack", "plain"], compared: [] },
  { name: "everything", dir: root, args: exampleOf("everything"), compared: [["cpu", "plain", 1.1]] },
];

/** @param {Readonly<Record<string, Cost>>} all */
function report(all) {
  console.log(`Medians of ${values.runs} runs on Node ${process.version}\n`);
  console.log("                 CPU      wall    memory");
  for (const { name, compared } of cases) {
    const { cpu, wall, memory } = /** @type {Cost} */ (all[name]);
    const notes = compared.map(([what, of, goal]) => {
      const times = (all[name]?.[what] ?? 0) / (all[of]?.[what] ?? 0);
      return `${times.toFixed(2)} times the ${what} of ${of}${goal === undefined ? "" : ` (goal: at most ${goal})`}`;
    });
    const columns = [
      ...[name.padEnd(10), `${cpu.toFixed(2).padStart(7)} s`, `${wall.toFixed(2).padStart(7)} s`],
      `${memory.toFixed(0).padStart(6)} MB`,
    ];
    console.log(`${columns.join(" ")}  ${notes.join(", ")}`.trimEnd());
  }
}

async function main() {
  try {
    /** @type {Map<string, Cost[]>} */
    const results = new Map(cases.map(({ name }) => [name, []]));
    // The first round only warms the caches. Each further round runs all cases, so that load on the machine affects all.
    for (let round = 0; round <= Number(values.runs); round += 1) {
      for (const { name, dir, args } of cases) {
        const script = ["--preserve-symlinks", "--preserve-symlinks-main", join(dir, "scripts/plan.js")];
        const run = await measure(
          [...nodeOptions, ...script, "--out", join(pools, "rendered", name), ...args],
          dir,
        );
        if (round > 0) {
          results.get(name)?.push(run);
        }
      }
    }
    report(Object.fromEntries([...results].map(([name, runs]) => [name, medians(runs)])));
  } finally {
    rmSync(empty, { recursive: true, force: true });
    rmSync(pools, { recursive: true, force: true });
  }
}

(values.installed ? measureInstalled(Number(values.runs)) : main()).catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
