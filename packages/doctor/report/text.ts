import { bash } from "capz-windows-kit/shell";
import { painter, wrapped, type Paint } from "capz-windows-kit/io/terminal";
import type { Diagnosis, DoctorFinding, BringUpStep } from "../diagnosis";
import { startMinutes } from "../nodeSteps";
import type { Proof } from "../rules/rule";
import { mostOfRemedy, oneLine } from "capz-windows-kit/visible";
import { withShortAnswers } from "./shortAnswers";

/** Formats a diagnosis as text for a terminal. */

export interface TerminalStyle {
  readonly color: boolean;
  readonly width: number;
}

/** Breaks a paragraph into lines of at most `width` characters; longer words stay whole. */
const paragraph = (text: string, width: number): string[] =>
  wrapped(oneLine(text.replace(/\s+/g, " ").trim(), 3_000), width);

/** Characters of a proof that are shown; kubectl shows the rest. */
const proofLimit = 800;

const quoted = (text: string): string => {
  const line = withShortAnswers(text).replace(/\s+/g, " ").trim();
  return `"${line.length > proofLimit ? `${line.slice(0, proofLimit)} ...` : line}"`;
};

const clock = (time: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? time.slice(0, 16).replace("T", " ") : oneLine(time, 40);

const label = (name: string): string => `   ${name.padEnd(10)}`;

function block(name: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${label(index === 0 ? name : "")}${line}`);
}

const whereOf = ({ where, since }: Proof): string =>
  `${where}${since === undefined || since === "" ? "" : `, since ${clock(since)}`}`;

function proofLines(proofs: readonly Proof[], width: number): string[] {
  const [first, ...others] = proofs;
  if (first === undefined) {
    return [];
  }
  const more =
    others.length === 0
      ? []
      : [
          `and the same at ${others
            .slice(0, 3)
            .map(({ where }) => where.split(",")[0])
            .join(", ")}${others.length > 3 ? ` and ${others.length - 3} more` : ""}`,
        ];
  return [
    ...paragraph(whereOf(first), width),
    ...paragraph(quoted(first.text), width),
    ...more.flatMap((line) => paragraph(line, width)),
  ];
}

function findingLines(
  finding: DoctorFinding,
  index: number,
  { width }: TerminalStyle,
  paint: Paint,
): string[] {
  const { severity, cause, scope, proofs, remedy, consequences } = finding;
  const mark = severity === "error" ? paint("red", "x") : paint("yellow", "!");
  const room = width - 13;
  const about = scope === "cluster" ? "" : ` (${scope})`;
  const [head = "", ...rest] = paragraph(`${cause}${about}`, width - 6);
  const follows = consequences
    .slice(0, 4)
    .map((one) => `${one.proof.where.split(",")[0] ?? ""}: ${one.cause}`);
  const left = consequences.length - follows.length;
  return [
    `${mark} ${index}. ${paint("bold", head)}`,
    ...rest.map((line) => `     ${paint("bold", line)}`),
    ...block("proof", proofLines(proofs, room)),
    // Not wrapped, because people copy these commands.
    ...block(
      "do",
      remedy.map((line) => oneLine(line, mostOfRemedy)),
    ),
    ...block(
      "may cause",
      [...follows, ...(left > 0 ? [`and ${left} more that may follow from it`] : [])].flatMap((line) =>
        paragraph(line, room),
      ),
    ),
    ...block("more", [paint("dim", `npm run doctor -- --explain ${finding.id}`)]),
    "",
  ];
}

const marks = { done: "✓", running: "…", waiting: "·" } as const;
const colors = { done: "green", running: "yellow", waiting: "dim" } as const;

export function stepLine({ name, state, since, detail }: BringUpStep, paint: Paint): string {
  const time = since === undefined || since === "" ? " ".repeat(16) : clock(since);
  return `${paint(colors[state], marks[state])} ${time}  ${oneLine(name)}${detail === "" ? "" : `: ${oneLine(detail)}`}`;
}

/** Nothing is wrong only where everything that was asked has been answered. */
function wellness({ unread, deleting, notRunning }: Diagnosis): string {
  const [first, ...others] = unread;
  const found = !deleting && notRunning.length > 0 ? "No rule finds a cause" : "Nothing is wrong";
  if (first === undefined) {
    return `${found} in the states of machines, nodes, add-ons and Pods; what their programs do was not checked`;
  }
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `${found} in what could be read; could not read ${first.replace(/\s+/g, " ").slice(0, 200)}${more}`;
}

/** Which Pods do not run, after another sentence. */
function idlePods({ notRunning }: Diagnosis): string {
  const rest = notRunning.length - 3;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const named = notRunning.slice(0, 3).map((pod) => oneLine(pod));
  return notRunning.length === 0 ? "" : ` Not all Pods run: ${named.join(", ")}${more}.`;
}

/** What runs, of a cluster with all machines and nodes; never more than what was read. */
function running(diagnosis: Diagnosis): string {
  const { notRunning, unread } = diagnosis;
  if (notRunning.length > 0) {
    return `All machines and nodes are there.${idlePods(diagnosis)}`;
  }
  return unread.length > 0
    ? "The machines, nodes and Pods that were read run."
    : `All machines and nodes run, and all Pods that are older than ${startMinutes.from} minutes.`;
}

/** The last sentence of a report: the number of causes, or the state of the cluster. */
export function verdict(diagnosis: Diagnosis): string {
  const { findings, complete, deleting, steps, stack } = diagnosis;
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const counted = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? "cause" : "causes"}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? "warning" : "warnings"}`] : []),
  ].join(" and ");
  if (errors > 0) {
    return errors > 1 ? `${counted}. Fix the first one first; later ones may follow from it.` : `${counted}.`;
  }
  const next = steps.find(({ state }) => state !== "done");
  const state = (): string => {
    if (deleting) {
      return "The cluster is being deleted.";
    }
    if (complete) {
      return running(diagnosis);
    }
    return next === undefined
      ? "Nothing is there yet."
      : `Not finished: ${next.name}${next.detail === "" ? "" : `, ${next.detail}`}.${idlePods(diagnosis)}`;
  };
  const watch =
    complete || deleting || next === undefined
      ? ""
      : ` Watch it: ${bash`npm run doctor -- ${stack ?? "STACK"} --watch`}`;
  return `${warnings > 0 ? counted : wellness(diagnosis)}. ${state()}${watch}`;
}

export function formatText(diagnosis: Diagnosis, style: TerminalStyle): string {
  const paint = painter(style.color);
  const { cluster, takenAt, findings, steps } = diagnosis;
  const lines = [
    paint(
      "bold",
      oneLine(
        `Cluster ${cluster.namespace}/${cluster.name}, read ${takenAt.slice(0, 19).replace("T", " ")} UTC`,
      ),
    ),
    "",
    ...findings.flatMap((finding, index) => findingLines(finding, index + 1, style, paint)),
    ...steps.map((step) => stepLine(step, paint)),
    ...(steps.length > 0 ? [""] : []),
    ...paragraph(verdict(diagnosis), style.width),
  ];
  return `${lines.join("\n")}\n`;
}
