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

/** Time that a program has beyond its own limit, for our timer to come. */
const graceMs = 1000;

let watchdog: Worker | undefined;

/**
 * Ends this process when it is still busy after the time. A program in this process that never gives its thread back
 * (an endless loop) cannot be stopped from within, and no timer of ours would come: another thread looks at the clock.
 * @param text - the last words, on the standard error
 * @returns stops watching
 */
export function watchThread(timeoutMs: number, text: string): () => void {
  watchdog ??= new Worker(watching, { eval: true, env: {} });
  watchdog.unref();
  watchdog.postMessage({ text, timeoutMs: timeoutMs + graceMs });
  return () => {
    watchdog?.postMessage({});
  };
}
