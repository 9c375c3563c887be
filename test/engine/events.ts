import { at, isRecord, text } from "capz-windows-kit/untyped";

/** What an engine did in one run, from its event log: `pulumi up` has two, its preview and its update. */
export interface Run {
  /** URNs by what was done to them, such as "create", each sorted. Reads of what others made are left out. */
  readonly urns: Readonly<Record<string, readonly string[]>>;
  /** The same in the order in which it began: "create URN". */
  readonly steps: readonly string[];
  /** The engine's own count of resources. */
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** What only looks, or forgets what it has looked at, and the providers that the engine makes for it: a program registers neither. */
const isRead = (op: string, urn: string): boolean =>
  /^(read|discard)/.test(op) || urn.includes("pulumi:providers:pulumi::");

/** Said because the CLI of the tests is not installed as a user's is. */
const ofTests = /^(using pulumi-|resource plugin \S+ is expected to have version)/;

function runOf(events: readonly unknown[]): Run {
  const steps = new Map<string, string>();
  for (const event of events) {
    // What a refresh finds is only in the event after a step.
    const step = at(event, "resOutputsEvent", "metadata") ?? at(event, "resourcePreEvent", "metadata");
    const [op, urn] = [text(at(step, "op")), text(at(step, "urn"))];
    if (urn !== "" && !isRead(op, urn)) {
      steps.set(`${op} ${urn}`, op);
    }
  }
  const urns: Record<string, string[]> = {};
  for (const [step, op] of steps) {
    (urns[op] ??= []).push(step.slice(op.length + 1));
  }
  const counts = events.map((event) => at(event, "summaryEvent", "resourceChanges")).find(isRecord) ?? {};
  const warnings = events
    .map((event) => at(event, "diagnosticEvent"))
    .filter((event) => at(event, "severity") === "warning" && at(event, "ephemeral") !== true)
    .map((event) => text(at(event, "message")).trim())
    .filter((message) => !ofTests.test(message));
  return {
    urns: Object.fromEntries(Object.entries(urns).map(([op, list]) => [op, list.sort()])),
    steps: [...steps.keys()],
    counts: counts as Record<string, number>,
    warnings,
  };
}

/** @param log - JSON lines, as `pulumi --event-log` writes them */
export function runsOf(log: string): Run[] {
  const runs: unknown[][] = [[]];
  for (const line of log.split("\n").filter((each) => each.trim() !== "")) {
    const event: unknown = JSON.parse(line);
    runs.at(-1)!.push(event);
    if (at(event, "summaryEvent") !== undefined) {
      runs.push([]);
    }
  }
  // What is said after the last summary is no run.
  const isOfRun = (event: unknown): boolean =>
    ["resourcePreEvent", "resOutputsEvent", "summaryEvent"].some((kind) => at(event, kind) !== undefined);
  return runs.filter((events) => events.some(isOfRun)).map(runOf);
}

/** All URNs that a run did something to, or found unchanged. */
export const touched = ({ urns }: Run): string[] => [...new Set(Object.values(urns).flat())].sort();
