import { oneLine } from "capz-windows-kit/visible";
import { answerOf } from "./check";
import { present } from "capz-windows-kit/present";
import { ofCluster, type PoolVerdict, type WorkloadManifest, type WorkloadResult } from "./types";

/** What happens on the nodes of a pool, as far as the workload has no error that holds for all pools. */
function verdictText({ errors, source }: WorkloadResult, verdict: PoolVerdict): string {
  const { result, reasons, onlyIf = "", notChecked = [] } = verdict;
  const isWrong = errors.length > 0;
  if (result === "runs") {
    const runs = isWrong ? "would run" : "runs";
    return source === ofCluster ? runs : `${runs} if the API server takes it`;
  }
  if (result === "notScheduled") {
    return `not scheduled: ${reasons.join("; ")}`;
  }
  if (result === "fails") {
    return `scheduled, but fails to start: ${reasons.join("; ")}`;
  }
  if (reasons.length > 0) {
    return `fails to start if ${onlyIf}: ${reasons.join("; ")}`;
  }
  const found = `no ${isWrong ? "further " : ""}fault found, not checked in full`;
  return notChecked.length > 0 ? `${found}: ${notChecked.join("; ")}` : found;
}

const line = (width: number, name: string, text: string): string =>
  `  ${oneLine(name, 100).padEnd(width)}  ${oneLine(text)}`;

/** What nothing looked at, in a line. */
function othersLine(others: readonly WorkloadManifest[]): string {
  const kinds = [...new Set(others.map(({ kind }) => kind))];
  return oneLine(
    `not checked: ${kinds.map((kind) => `${others.filter((each) => each.kind === kind).length} ${kind}`).join(", ")}`,
  );
}

/** What was judged, and what was not. */
interface Judged {
  readonly found: readonly WorkloadResult[];
  /** Objects that nothing looked at. */
  readonly others?: readonly WorkloadManifest[];
  /** Documents that could not be read. */
  readonly unread?: readonly string[];
}

/** The report as text, without a line break at the end. */
export function formatResults({ found, others = [], unread = [] }: Judged): string {
  const width = Math.max(
    4,
    ...found.flatMap(({ verdicts }) => verdicts.map(({ pool }) => oneLine(pool, 100).length)),
  );
  const blocks = found.map((result) =>
    [
      oneLine(`${result.workload} (${result.source})`),
      ...result.errors.map((text) => line(width, "error", text)),
      ...result.verdicts.map((verdict) => line(width, verdict.pool, verdictText(result, verdict))),
      ...result.notChecked.map((text) => line(width, "not checked", text)),
      ...result.notes.map((text) => line(width, "note", text)),
    ].join("\n"),
  );
  const rest = [
    ...(others.length === 0 ? [] : [othersLine(others)]),
    ...unread.map((text) => oneLine(`not checked: ${text}`)),
  ];
  const documents = unread.length === 1 ? "1 document was" : `${unread.length} documents were`;
  const end = unread.length === 0 ? "" : `; ${documents} not read`;
  return [...blocks, ...(rest.length > 0 ? [rest.join("\n")] : []), `${summary(found)}${end}`].join("\n\n");
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
  { found, others = [], unread = [] }: Judged,
  nodes: { readonly stack?: string | undefined; readonly release?: string | undefined },
): string {
  const workloads = found.map((result) => ({ ...result, verdict: answerOf(result) }));
  const notChecked = others.map(({ kind, namespace, name, source }) => ({ kind, namespace, name, source }));
  return `${JSON.stringify({ version: 2, ...nodes, workloads, notChecked, unread }, undefined, 2)}\n`;
}
