import { type Paint, painter } from "capz-windows-kit/io/terminal";
import { prose } from "capz-windows-kit/markdown";
import { oneLine, shown } from "capz-windows-kit/visible";
import type { ProbeReport, ProbeRow } from "./model";

/** A report as text, as Markdown and as JSON. */

export const formats = ["text", "markdown", "json"] as const;
export type ProbeFormat = (typeof formats)[number];

const endings: Readonly<Record<string, ProbeFormat>> = { txt: "text", md: "markdown", json: "json" };

export const formatOfFile = (file: string): ProbeFormat | undefined => endings[file.split(".").at(-1) ?? ""];

const count = (rows: readonly ProbeRow[], verdict: ProbeRow["verdict"]): number =>
  rows.filter((row) => row.verdict === verdict).length;

/** 0: as planned; 2: something was not measured; 3: findings; 1: the run ended early. */
export function exitCode({ rows, ended }: ProbeReport): 0 | 1 | 2 | 3 {
  if (ended !== "") {
    return 1;
  }
  if (count(rows, "finding") > 0) {
    return 3;
  }
  return count(rows, "not measured") > 0 ? 2 : 0;
}

export function summary({ rows, ended }: ProbeReport): string {
  const numbers = `${count(rows, "as planned")} as planned, ${count(rows, "finding")} findings, ${count(rows, "not measured")} not measured`;
  return ended === "" ? `${numbers}.` : `${numbers}. The run ended early: ${oneLine(ended)}`;
}

const columns = ["check", "where", "expected", "measured", "verdict"] as const;

const whereOf = ({ where, afterRestartOf }: ProbeRow): string =>
  afterRestartOf === undefined ? where : `${where} (after the restart of ${afterRestartOf})`;

const cells = (row: ProbeRow): string[] =>
  columns.map((name) => oneLine(name === "where" ? whereOf(row) : row[name]));

/** Findings first, then what was not measured; rows of a check stay together. */
const sorted = (rows: readonly ProbeRow[]): ProbeRow[] => {
  const order = ["finding", "not measured", "as planned"];
  return [...rows].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
};

const remedies = (rows: readonly ProbeRow[]): string[] => [
  ...new Set(
    rows.flatMap(({ check, remedy }) => (remedy === undefined ? [] : [oneLine(`${check}: ${remedy}`)])),
  ),
];

const header = ({ stack, cluster, kubernetesVersion, startedAt, endedAt, nodes }: ProbeReport): string =>
  oneLine(
    `Stack ${stack}, cluster ${cluster}, Kubernetes ${kubernetesVersion}; ${nodes.length} nodes measured from ${startedAt} to ${endedAt}.`,
  );

const styles = { finding: "red", "not measured": "yellow", "as planned": "green" } as const;

function formatText(report: ProbeReport, paint: Paint): string {
  const rows = sorted(report.rows);
  const table = [[...columns], ...rows.map(cells)];
  const widths = columns.map((_, column) => Math.max(...table.map((line) => (line[column] ?? "").length)));
  const lines = table.map((line, index) => {
    const text = line.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const verdict = rows[index - 1]?.verdict;
    return (verdict === undefined ? text : [...text.slice(0, -1), paint(styles[verdict], verdict)])
      .join("  ")
      .trimEnd();
  });
  const advice = remedies(rows);
  return [
    header(report),
    "",
    ...(rows.length === 0 ? [] : [...lines, ""]),
    ...(advice.length === 0 ? [] : ["What to do:", ...advice.map((line) => `  ${line}`), ""]),
    summary(report),
    "",
  ].join("\n");
}

function formatMarkdown(report: ProbeReport): string {
  const rows = sorted(report.rows);
  const line = (texts: readonly string[]): string => `| ${texts.join(" | ")} |`;
  const advice = remedies(rows);
  return [
    `# Probe of ${prose(report.stack)}`,
    "",
    prose(header(report)),
    "",
    `**${prose(summary(report))}**`,
    "",
    ...(rows.length === 0
      ? []
      : [
          line(columns),
          line(columns.map(() => "---")),
          ...rows.map((row) => line(cells(row).map((text) => prose(text)))),
          "",
        ]),
    ...(advice.length === 0 ? [] : ["## What to do", "", ...advice.map((text) => `- ${prose(text)}`), ""]),
  ].join("\n");
}

/** @param color - whether a text has colors */
export function format(report: ProbeReport, as: ProbeFormat, color = false): string {
  switch (as) {
    case "json":
      return shown(`${JSON.stringify(report, null, 2)}\n`);
    case "markdown":
      return formatMarkdown(report);
    case "text":
      return formatText(report, painter(color));
  }
}
