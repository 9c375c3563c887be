"use strict";

// The table of the benchmark, and how its rows compare.

/** @typedef {import("./measure").Cost} Cost */
/** @typedef {"empty" | "dev" | "host" | "pools 1" | "pools 10" | "pools 100"} PlanName */
/** @typedef {PlanName | "plain" | "everything" | "bare dev" | "bare 10" | "bare 100"} Name */

/**
 * @param {string} name
 * @param {Cost} cost
 * @param {string} note
 */
const row = (name, { cpu, wall, memory }, note) => {
  console.log(
    `${name.padEnd(10)} ${cpu.toFixed(2).padStart(7)} s ${wall.toFixed(2).padStart(7)} s ${memory.toFixed(0).padStart(6)} MB  ${note}`,
  );
};

/**
 * Prints the medians of all cases.
 * @param {string} runs
 * @param {Readonly<Record<Name, Cost>>} all
 */
function report(runs, all) {
  /** @type {(a: Name, b: Name, key: keyof Cost) => string} */
  const times = (a, b, key) => (all[a][key] / all[b][key]).toFixed(2);
  console.log(`Medians of ${runs} runs on Node ${process.version}\n`);
  console.log("                 CPU      wall    memory");
  row("empty", all.empty, "the same command and SDK modules, no resource");
  row("dev", all.dev, `${times("dev", "empty", "cpu")} times the CPU of empty (goal: at most 1.25)`);
  row("host", all.host, `${times("host", "empty", "cpu")} times the CPU of empty: a process for each run`);
  row("pools 1", all["pools 1"], "");
  row("pools 10", all["pools 10"], `${times("pools 10", "pools 1", "cpu")} times the CPU of 1`);
  /** @type {(from: Name, to: Name, count: number) => number} */
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
  /** @type {(whole: Name, part: Name) => string} */
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
}

module.exports = { report };
