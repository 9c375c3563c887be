import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "./projectDir";

/**
 * Figures of the tests with the real managers (test/life, test/controllers): each suite adds its own, and after the
 * last one Jest writes reports/lives.md. A run without these tests writes nothing.
 */

export interface LifeFigures {
  readonly figure: "life";
  /** Name of the cluster. */
  readonly cluster: string;
  readonly title: string;
  readonly done: boolean;
  readonly seconds: number;
  /** Seconds from the first answer of the API server to the first node that is Ready, which needs the pod network. */
  readonly networkSeconds?: number | undefined;
  /** Machines that Azure deleted. */
  readonly machinesDeleted: number;
  /** Limits that were exceeded at some time: too few ready nodes, too many machines, a kubelet that is too new. */
  readonly broken: readonly string[];
}

export interface FaultFigures {
  readonly figure: "faults";
  /** How often each fault occurred, such as "Azure answered 409 OperationNotAllowed". */
  readonly met: Readonly<Record<string, number>>;
}

export interface VerdictFigures {
  readonly figure: "verdicts";
  readonly of: string;
  readonly count: number;
}

export type Figures = LifeFigures | FaultFigures | VerdictFigures;

const folder = join(projectDir, "reports");
const notes = join(folder, "lives.jsonl");
const report = join(folder, "lives.md");

export function note(figures: Figures): void {
  mkdirSync(folder, { recursive: true });
  appendFileSync(notes, `${JSON.stringify(figures)}\n`);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The report of a run. */
export function figuresReport(all: readonly Figures[]): string {
  const lives = all.filter((each) => each.figure === "life");
  const faults = new Map<string, number>();
  for (const { met } of all.filter((each) => each.figure === "faults")) {
    for (const [what, count] of Object.entries(met)) {
      faults.set(what, (faults.get(what) ?? 0) + count);
    }
  }
  const verdicts = new Map<string, number>();
  for (const { of, count } of all.filter((each) => each.figure === "verdicts")) {
    verdicts.set(of, (verdicts.get(of) ?? 0) + count);
  }
  const network = lives.flatMap(({ networkSeconds }) => networkSeconds ?? []).sort((a, b) => a - b);
  const broken = lives.flatMap(({ cluster, title, broken: what }) =>
    what.map((each) => `${cluster}, ${title}: ${each}`),
  );
  return [
    "# Lives in simulation",
    "",
    `- Lives lived: ${lives.length}, to the end ${lives.filter(({ done }) => done).length}, on ${new Set(lives.map(({ cluster }) => cluster)).size} clusters`,
    `- Faults survived: ${sum([...faults.values()])}`,
    ...[...faults].sort().map(([what, count]) => `  - ${count} × ${what}`),
    `- Verdicts of the real webhooks compared: ${sum([...verdicts.values()])}`,
    ...[...verdicts].map(([of, count]) => `  - ${count} ${of}`),
    `- Seconds from API server to working network: ${network.length === 0 ? "not measured" : `${network[0]?.toFixed(0)} to ${network.at(-1)?.toFixed(0)}`}`,
    `- Moments of lost capacity, or of another limit that did not hold: ${broken.length}`,
    ...broken.map((each) => `  - ${each}`),
    "",
    "| cluster | life | seconds | machines deleted | API server to network |",
    "| --- | --- | --- | --- | --- |",
    ...lives.map(
      ({ cluster, title, done, seconds, machinesDeleted, networkSeconds }) =>
        `| ${cluster} | ${cell(title)}${done ? "" : " (failed)"} | ${seconds.toFixed(0)} | ${machinesDeleted} | ${networkSeconds === undefined ? "" : `${networkSeconds.toFixed(0)} s`} |`,
    ),
    "",
  ].join("\n");
}

/** Deletes the figures of an earlier run, if this run can have figures and is not to add to them, as in `.ci/run`. */
export function forgetFigures(): void {
  if (process.env.CAPZ_WINDOWS_CONTROLLERS !== undefined && process.env.CAPZ_WINDOWS_FIGURES !== "add") {
    rmSync(notes, { force: true });
    rmSync(report, { force: true });
  }
}

/** Writes the report, if there are figures. */
export function writeFigures(): void {
  if (process.env.CAPZ_WINDOWS_CONTROLLERS !== undefined && existsSync(notes)) {
    const lines = readFileSync(notes, "utf8").trim().split("\n");
    writeFileSync(report, figuresReport(lines.map((line) => JSON.parse(line) as Figures)));
  }
}
