import { oneLine } from "capz-windows-kit/visible";
import { answerOf } from "./check";
import { present } from "capz-windows-kit/present";
import type { PoolVerdict, WorkloadManifest, WorkloadResult } from "./types";

const results: Readonly<Record<PoolVerdict["result"], string>> = {
  runs: "runs",
  notChecked: "no fault found, not checked in full",
  fails: "scheduled, but fails to start: ",
  notScheduled: "not scheduled: ",
};

/** For a workload with an error that holds for all pools. */
const ifMended: typeof results = {
  ...results,
  runs: "would run",
  notChecked: "no further fault found, not checked in full",
};

/** For a workload that the API server refuses, so that its pods are never scheduled. */
const ifAccepted: typeof results = {
  ...ifMended,
  fails: "would be scheduled, but fail to start: ",
  notScheduled: "would not be scheduled: ",
};

function wordsFor({ errors }: WorkloadResult): typeof results {
  if (errors.some((error) => error.startsWith("the API server refuses"))) {
    return ifAccepted;
  }
  return errors.length > 0 ? ifMended : results;
}

const wordsOf = ({ result, reasons, notChecked = [] }: PoolVerdict, words: typeof results): string => {
  const unknown = result === "notChecked" && notChecked.length > 0 ? `: ${notChecked.join("; ")}` : "";
  return `${words[result]}${reasons.join("; ")}${unknown}`;
};

const line = (width: number, name: string, text: string): string =>
  `  ${oneLine(name, 100).padEnd(width)}  ${oneLine(text)}`;

/** What nothing looked at, in a line. */
function othersLine(others: readonly WorkloadManifest[]): string {
  const kinds = [...new Set(others.map(({ kind }) => kind))];
  return oneLine(
    `not checked: ${kinds.map((kind) => `${others.filter((each) => each.kind === kind).length} ${kind}`).join(", ")}`,
  );
}

/** The report as text, without a line break at the end. */
export function formatResults(
  found: readonly WorkloadResult[],
  others: readonly WorkloadManifest[] = [],
): string {
  const width = Math.max(
    4,
    ...found.flatMap(({ verdicts }) => verdicts.map(({ pool }) => oneLine(pool, 100).length)),
  );
  const blocks = found.map((result) =>
    [
      oneLine(`${result.workload} (${result.source})`),
      ...result.errors.map((text) => line(width, "error", text)),
      ...result.verdicts.map((verdict) => line(width, verdict.pool, wordsOf(verdict, wordsFor(result)))),
      ...result.notChecked.map((text) => line(width, "not checked", text)),
      ...result.notes.map((text) => line(width, "note", text)),
    ].join("\n"),
  );
  const rest = others.length === 0 ? [] : [othersLine(others)];
  return [...blocks, ...rest, summary(found)].join("\n\n");
}

/** A DaemonSet without a fault that fits no pool. */
const isIdle = (result: WorkloadResult): boolean =>
  answerOf(result) === "yes" &&
  result.verdicts.length > 0 &&
  result.verdicts.every((verdict) => verdict.result === "notScheduled");

function summary(found: readonly WorkloadResult[]): string {
  if (found.length === 0) {
    return "no workloads: nothing in the manifests has a pod template that this knows, and other objects, such as Services, are not checked";
  }
  const count = `${found.length} ${found.length === 1 ? "workload" : "workloads"}`;
  const answers = found.map(answerOf);
  const [fine = 0, wrong = 0, open = 0] = (["yes", "no", "notChecked"] as const).map(
    (verdict) => answers.filter((answer) => answer === verdict).length,
  );
  const condition = "if the API server takes them, their images can be pulled and their programs start";
  const idle = found.filter(isIdle).length;
  if (fine === found.length && idle === 0) {
    return `${count}: all of them run wherever their pods may be scheduled, ${condition}`;
  }
  const running = `${fine - idle} ${fine - idle === 1 ? "runs wherever its" : "run wherever their"} pods may be scheduled`;
  const counted = present(
    fine === idle ? running : `${running} (${condition})`,
    idle > 0 && `${idle} ${idle === 1 ? "makes" : "make"} no pods`,
    wrong > 0 && `${wrong} ${wrong === 1 ? "does" : "do"} not`,
    open > 0 && `${open} ${open === 1 ? "was" : "were"} not checked in full`,
  );
  return `${count}: ${counted.join(", ")}`;
}

/** The report as JSON, for programs. The version is raised when a field changes its meaning. */
export function jsonResults(
  stack: string | undefined,
  found: readonly WorkloadResult[],
  others: readonly WorkloadManifest[] = [],
): string {
  const workloads = found.map((result) => ({ ...result, verdict: answerOf(result) }));
  const notChecked = others.map(({ kind, namespace, name, source }) => ({ kind, namespace, name, source }));
  return `${JSON.stringify({ version: 2, stack, workloads, notChecked }, undefined, 2)}\n`;
}
