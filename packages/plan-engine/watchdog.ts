import { Worker } from "node:worker_threads";

/** Prints a text and ends the process when no other message arrives in time. */
const watching = `
const { writeSync } = require("node:fs");
const { parentPort } = require("node:worker_threads");
let timer;
parentPort.on("message", ({ text, timeoutMs }) => {
  clearTimeout(timer);
  timer = text && setTimeout(() => {
    writeSync(2, "\\n" + text + "\\n");
    process.kill(process.pid, "SIGKILL");
  }, timeoutMs);
});
`;

/** Milliseconds after the time limit in which the timer in this thread may still end the run. */
const graceMs = 1000;

let watchdog: Worker | undefined;

/**
 * Ends this process if its thread is still busy after the time limit. A program in an endless loop blocks every timer
 * of this thread, so another thread measures the time.
 * @param text - printed on standard error before the end
 * @returns stops the watch
 */
export function watchThread(timeoutMs: number, text: string): () => void {
  watchdog ??= new Worker(watching, { eval: true, env: {} });
  watchdog.unref();
  watchdog.postMessage({ text, timeoutMs: timeoutMs + graceMs });
  return () => {
    watchdog?.postMessage({});
  };
}
