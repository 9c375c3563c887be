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
const { spawn, spawnSync } = require("node:child_process");
const {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { parseArgs } = require("node:util");
const { stringify, parse } = require("yaml");
const { scripts } = require("../package.json");

const root = join(__dirname, "..");
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    clone: { type: "boolean", default: false },
  },
});

/** The options that `npm run plan` gives Node.js. */
const nodeOptions = scripts.plan.split(" ").filter((word) => word.startsWith("--"));

/** Fields of /proc/PID/stat from the third on; the second may have spaces. */
const statOf = (pid) =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");

const ticksPerSecond = 100;

/** CPU seconds of all descendants that have ended. */
const childCpu = () => {
  const stat = statOf("self");
  return (Number(stat[13]) + Number(stat[14])) / ticksPerSecond;
};

/** Updates the peak memory in MB of a process and all its descendants, by process ID. */
function watchMemory(top, peaks) {
  const parents = new Map();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(entry), Number(statOf(entry)[1]));
    } catch {
      // It has ended since.
    }
  }
  const below = (pid) => pid === top || (parents.has(pid) && below(parents.get(pid)));
  for (const pid of [...parents.keys()].filter(below)) {
    try {
      const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      // A zombie has no VmHWM.
      peaks.set(pid, Math.max(peaks.get(pid) ?? 0, Number(peak ?? 0) / 1024));
    } catch {
      // It has ended since.
    }
  }
}

/** @returns {Promise<{cpu: number, wall: number, memory: number}>} seconds, seconds, MB */
async function measure(args, cwd) {
  const before = childCpu();
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  const peaks = new Map();
  const timer = setInterval(() => watchMemory(child.pid, peaks), 40);
  const code = await new Promise((resolve) => child.once("close", resolve));
  clearInterval(timer);
  if (code !== 0) {
    throw new Error(`${args.join(" ")} ended with ${code}:\n${said}`);
  }
  return {
    cpu: childCpu() - before,
    wall: (performance.now() - started) / 1000,
    memory: Math.max(...peaks.values()),
  };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const medians = (runs) =>
  Object.fromEntries(["cpu", "wall", "memory"].map((key) => [key, median(runs.map((run) => run[key]))]));

/** A project folder with everything of this one but its stacks and, if wanted, its program. */
function project(without = []) {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-bench-"));
  for (const entry of readdirSync(root)) {
    if (![".git", "rendered", "reports", ...without].includes(entry) && !/^Pulumi\..+\.yaml$/.test(entry)) {
      symlinkSync(join(root, entry), join(dir, entry));
    }
  }
  return dir;
}

/** A project whose program imports the same SDK modules as the real one, and registers nothing. */
function emptyProject() {
  const dir = project(["index.ts"]);
  const files = [
    "index.ts",
    ...readdirSync(join(root, "components"), { recursive: true }).map((file) => `components/${file}`),
  ]
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(root, file), "utf8"));
  const imports = new Set(
    files.flatMap((text) =>
      [...text.matchAll(/^import (?!type)[^;]*? from "(@pulumi\/[^"]+)";/gms)].map(([, from]) => from),
    ),
  );
  const lines = [...imports].sort().map((from, index) => `import * as sdk${index} from "${from}";`);
  const used = lines.map((_, index) => `sdk${index}`).join(", ");
  writeFileSync(join(dir, "index.ts"), `${lines.join("\n")}\nexport const loaded = [${used}].length;\n`);
  copyFileSync(join(root, "Pulumi.dev.yaml"), join(dir, "Pulumi.dev.yaml"));
  return dir;
}

/** A program that registers the resources of a plan as plan.json has recorded them. */
const bareProgram = `
import * as pulumi from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const { resources } = JSON.parse(readFileSync(join(__dirname, "recorded", pulumi.getStack(), "plan.json"), "utf8"));
const recorded = new Map<string, any>(resources.map((each: any) => [each.urn, each]));
const registered = new Map<string, any>();

function register(urn: string | undefined): any {
  const { type, name, custom, inputs, parent, provider, dependencies = [] } = recorded.get(urn ?? "") ?? {};
  if (urn === undefined || type === undefined || type === "pulumi:pulumi:Stack") {
    return undefined;
  }
  if (!registered.has(urn)) {
    const dependsOn = dependencies.flatMap((each: string) => register(each) ?? []);
    const options: any = { parent: register(parent), provider: register(provider), dependsOn };
    const resource = type.startsWith("pulumi:providers:")
      ? new pulumi.ProviderResource(type.split(":")[2], name, inputs, options)
      : custom
        ? new pulumi.CustomResource(type, name, inputs, options)
        : new pulumi.ComponentResource(type, name, {}, options);
    registered.set(urn, resource);
  }
  return registered.get(urn);
}

for (const { urn } of resources) {
  register(urn);
}
export const count = registered.size;
`;

/** A project with the bare program and the stacks of the others. The plans of `recorded` must have been written before. */
function bareProject(pools, recorded) {
  const dir = project(["index.ts"]);
  writeFileSync(join(dir, "index.ts"), bareProgram);
  copyFileSync(join(root, "examples/Pulumi.dev.yaml"), join(dir, "Pulumi.dev.yaml"));
  for (const count of [10, 100]) {
    copyFileSync(join(pools, `Pulumi.pools${count}.yaml`), join(dir, `Pulumi.pools${count}.yaml`));
  }
  symlinkSync(recorded, join(dir, "recorded"));
  return dir;
}

function poolsProject() {
  const dir = project();
  const file = parse(readFileSync(join(root, "examples/Pulumi.dev.yaml"), "utf8"));
  for (const count of [1, 10, 100]) {
    const pools = Array.from({ length: count }, (_, index) => [`win${index}`, { replicas: 1 }]);
    const config = { ...file.config, "capz-windows:windowsPools": Object.fromEntries(pools) };
    writeFileSync(join(dir, `Pulumi.pools${count}.yaml`), stringify({ config }));
  }
  writeFileSync(join(dir, "Pulumi.plain.yaml"), stringify(plainStack()));
  copyFileSync(join(root, "examples/Pulumi.everything.yaml"), join(dir, "Pulumi.everything.yaml"));
  return dir;
}

/** The pools of the example everything, without any options that they do not need. */
function plainStack() {
  const { config } = parse(readFileSync(join(root, "examples/Pulumi.everything.yaml"), "utf8"));
  const pick = (key, one) =>
    Object.fromEntries(Object.keys(config[`capz-windows:${key}`]).map((name) => [name, one(name)]));
  const { machines } = config["capz-windows:windowsPools"];
  const own = { kind: machines.kind, replicas: machines.replicas, image: machines.image };
  const kept = ["clusterName", "kubernetesVersion", "azure", "access"].map((key) => [
    `capz-windows:${key}`,
    config[`capz-windows:${key}`],
  ]);
  return {
    config: {
      ...Object.fromEntries(kept),
      "capz-windows:linuxPools": pick("linuxPools", () => ({})),
      "capz-windows:windowsPools": pick("windowsPools", (name) => (name === "machines" ? own : {})),
    },
  };
}

const row = (name, { cpu, wall, memory }, note) =>
  console.log(
    `${name.padEnd(10)} ${cpu.toFixed(2).padStart(7)} s ${wall.toFixed(2).padStart(7)} s ${memory.toFixed(0).padStart(6)} MB  ${note}`,
  );

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
  const plan = (dir, stack, ...more) => ({
    dir,
    args: [
      ...[...nodeOptions, ...preserve, join(dir, "scripts/plan.js")],
      ...["--stack", stack, "--out", join(dir === bare ? bare : pools, "rendered", stack), ...more],
    ],
  });
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
    const results = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
    // The first round only warms the caches. Each further round runs all cases, so that load on the machine affects all.
    for (let round = 0; round <= Number(values.runs); round += 1) {
      for (const [name, { dir, args }] of Object.entries(cases)) {
        const run = await measure(args, dir);
        if (round > 0) {
          results[name].push(run);
        }
      }
    }
    const all = Object.fromEntries(Object.entries(results).map(([name, runs]) => [name, medians(runs)]));
    const times = (a, b, key) => `${(all[a][key] / all[b][key]).toFixed(2)}`;
    console.log(`Medians of ${values.runs} runs on Node ${process.version}\n`);
    console.log("                 CPU      wall    memory");
    row("empty", all.empty, "the same command and SDK modules, no resource");
    row("dev", all.dev, `${times("dev", "empty", "cpu")} times the CPU of empty (goal: at most 1.25)`);
    row("host", all.host, `${times("host", "empty", "cpu")} times the CPU of empty: a process for each run`);
    row("pools 1", all["pools 1"], "");
    row("pools 10", all["pools 10"], `${times("pools 10", "pools 1", "cpu")} times the CPU of 1`);
    const each = (from, to, count) => (1000 * (all[to].cpu - all[from].cpu)) / count;
    const grown = [each("pools 1", "pools 10", 9), each("pools 10", "pools 100", 90)].map((ms) =>
      ms.toFixed(0),
    );
    row(
      "pools 100",
      all["pools 100"],
      `${times("pools 100", "pools 10", "cpu")} times the CPU of 10 (goal: at most 1.5), ${times("pools 100", "pools 10", "memory")} times its memory (goal: at most 2); a pool more costs ${grown.join(" ms, then ")} ms of CPU`,
    );
    row("plain", all.plain, "the pools of everything, with nothing in them");
    row(
      "everything",
      all.everything,
      `${times("everything", "plain", "cpu")} times the CPU of plain (goal: at most 1.1), ${times("everything", "plain", "wall")} times its time`,
    );
    const over = (whole, part) => `${times(whole, part, "cpu")} times it`;
    row(
      "bare dev",
      all["bare dev"],
      `${times("bare dev", "empty", "cpu")} times the CPU of empty; dev costs ${over("dev", "bare dev")}`,
    );
    row("bare 10", all["bare 10"], `10 pools cost ${over("pools 10", "bare 10")}`);
    row(
      "bare 100",
      all["bare 100"],
      `${times("bare 100", "bare 10", "cpu")} times the CPU of bare 10; 100 pools cost ${over("pools 100", "bare 100")}`,
    );
    if (values.clone) {
      cloneAndStart();
    }
  } finally {
    for (const dir of [empty, pools, bare]) {
      rmSync(dir, { recursive: true, force: true });
    }
  }
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
