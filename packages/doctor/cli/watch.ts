import { diagnose } from "../diagnose";
import type { Diagnosis } from "../diagnosis";
import { isWell } from "../exitCode";
import type { Snapshot } from "../cluster/snapshot";
import { stepLine, verdict } from "../report/text";

/**
 * Follows a bring-up: prints a line when a step changes, the report when causes change, and a progress line in between.
 */

export interface WatchOptions {
  readonly read: () => Promise<Snapshot>;
  readonly until: number;
  readonly everyMs: number;
  readonly write: (text: string) => void;
  /** The progress line, which is rewritten in place on a terminal. */
  readonly progress: { readonly show: (text: string) => void; readonly end: () => void };
  /** The report that is printed when causes change. */
  readonly report: (diagnosis: Diagnosis) => string;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly now?: () => number;
}

const minutes = (ms: number): string =>
  `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;

/** @returns the last diagnosis, when everything runs and nothing is wrong, or when the time is over */
export async function watch({
  read,
  until,
  everyMs,
  write,
  progress,
  report,
  sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now = Date.now,
}: WatchOptions): Promise<Diagnosis> {
  const began = now();
  const shown = new Map<string, string>();
  let causes = "";
  for (;;) {
    const diagnosis = diagnose(await read());
    for (const step of diagnosis.steps) {
      if (shown.get(step.name) !== step.state) {
        shown.set(step.name, step.state);
        if (step.state !== "waiting") {
          progress.end();
          write(`${stepLine(step, (_style, text) => text)}\n`);
        }
      }
    }
    const found = diagnosis.findings.map(({ id, scope }) => `${id} ${scope}`).join("\n");
    if (found !== causes) {
      progress.end();
      write(found === "" ? "The problems are gone.\n" : report(diagnosis));
      causes = found;
    }
    if (isWell(diagnosis) || now() >= until) {
      progress.end();
      return diagnosis;
    }
    progress.show(`${minutes(now() - began)}: ${verdict(diagnosis)}`);
    await sleep(everyMs);
  }
}
