"use strict";

// What a command costs: CPU and memory of a process and all its descendants, from /proc.
const { spawn } = require("node:child_process");
const { readFileSync, readdirSync } = require("node:fs");

/** @typedef {{ cpu: number, wall: number, memory: number }} Cost Seconds, seconds, MB. */

/**
 * Fields of /proc/PID/stat from the third on; the second may have spaces.
 * @param {number | string} pid
 */
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

/**
 * Updates the peak memory in MB of a process and all its descendants, by process ID.
 * @param {number} top
 * @param {Map<number, number>} peaks
 */
function watchMemory(top, peaks) {
  /** @type {Map<number, number>} */
  const parents = new Map();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(entry), Number(statOf(entry)[1]));
    } catch {
      // It has ended since.
    }
  }
  /** @type {(pid: number | undefined) => boolean} */
  const below = (pid) => pid !== undefined && (pid === top || below(parents.get(pid)));
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

/**
 * What a run of Node.js costs.
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<Cost>}
 */
async function measure(args, cwd) {
  const before = childCpu();
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => (said += text));
  /** @type {Map<number, number>} */
  const peaks = new Map();
  const timer = setInterval(() => {
    // A process that could not be started has no ID; it ends with an error below.
    watchMemory(child.pid ?? Number.NaN, peaks);
  }, 40);
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  clearInterval(timer);
  if (code !== 0) {
    throw new Error(`${args.join(" ")} ended with ${code ?? "a signal"}:\n${said}`);
  }
  return {
    cpu: childCpu() - before,
    wall: (performance.now() - started) / 1000,
    memory: Math.max(...peaks.values()),
  };
}

/** @param {readonly number[]} numbers */
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/**
 * @param {readonly Cost[]} runs
 * @returns {Cost}
 */
const medians = (runs) => ({
  cpu: median(runs.map(({ cpu }) => cpu)),
  wall: median(runs.map(({ wall }) => wall)),
  memory: median(runs.map(({ memory }) => memory)),
});

module.exports = { measure, median, medians };
