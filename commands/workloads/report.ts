import { oneLine } from "../../tools/visible";
import { isFine } from "./check";
import type { PoolVerdict, WorkloadResult } from "./types";

const results: Readonly<Record<PoolVerdict["result"], string>> = {
  runs: "runs",
  fails: "scheduled, but fails to start: ",
  notScheduled: "not scheduled: ",
};

/** For a workload that the API server refuses, so that its pods are never scheduled. */
const ifAccepted: typeof results = {
  runs: "would run",
  fails: "would be scheduled, but fail to start: ",
  notScheduled: "would not be scheduled: ",
};

const wordsOf = ({ result, reasons, conditions = [] }: PoolVerdict, isRefused: boolean): string =>
  `${(isRefused ? ifAccepted : results)[result]}${reasons.join("; ")}${conditions.length === 0 ? "" : `, if ${conditions.join(" and ")}`}`;

const isRefused = ({ errors }: WorkloadResult): boolean =>
  errors.some((error) => error.startsWith("the API server refuses"));

const line = (width: number, name: string, text: string): string =>
  `  ${oneLine(name, 100).padEnd(width)}  ${oneLine(text)}`;

/** The report as text, without a line break at the end. */
export function formatResults(found: readonly WorkloadResult[]): string {
  const width = Math.max(
    4,
    ...found.flatMap(({ verdicts }) => verdicts.map(({ pool }) => oneLine(pool, 100).length)),
  );
  const blocks = found.map((result) =>
    [
      oneLine(`${result.workload} (${result.source})`),
      ...result.errors.map((text) => line(width, "error", text)),
      ...result.verdicts.map((verdict) => line(width, verdict.pool, wordsOf(verdict, isRefused(result)))),
      ...(result.errors.length === 0 &&
      result.verdicts.every(({ result: verdict }) => verdict === "notScheduled")
        ? [line(width, "error", "its pods stay pending: they can be scheduled to no pool")]
        : []),
      ...result.notes.map((text) => line(width, "note", text)),
    ].join("\n"),
  );
  return [...blocks, summary(found)].join("\n\n");
}

function summary(found: readonly WorkloadResult[]): string {
  if (found.length === 0) {
    return "no workloads: nothing in the manifests creates pods";
  }
  const fine = found.filter(isFine).length;
  const count = `${found.length} ${found.length === 1 ? "workload" : "workloads"}`;
  if (fine < found.length) {
    const others = found.length - fine;
    return `${count}: ${fine} ${fine === 1 ? "runs wherever its" : "run wherever their"} pods may be scheduled, ${others} ${others === 1 ? "does" : "do"} not`;
  }
  const isConditional = found.some(({ verdicts }) =>
    verdicts.some(({ conditions = [] }) => conditions.length > 0),
  );
  return `${count}: all of them run wherever their pods may be scheduled${isConditional ? ", if their images have the variants named above" : ""}`;
}

/** The report as JSON, for programs. The version is raised when a field changes its meaning. */
export const jsonResults = (stack: string | undefined, found: readonly WorkloadResult[]): string =>
  `${JSON.stringify({ version: 1, stack, workloads: found.map((result) => ({ ...result, fine: isFine(result) })) }, undefined, 2)}\n`;
