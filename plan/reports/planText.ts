import type { Plan } from "../model/plan";
import { costTable, costTextRows } from "./cost";
import { addonsText, clusterSections } from "./clusterRows";
import { painter } from "capz-windows-kit/io/terminal";
import { withoutUndefined } from "capz-windows-kit/without";
import { headline } from "./headline";
import { inLine, paragraph, rowLines, wrappedLine } from "./layout";
import { othersTitle } from "./others";
import { errorsAndRest, findingRow, policiesNote, verdict, warningsBeside } from "./policyTexts";
import { costLine, othersLine, summarySections, warningLines } from "./planSummary";
import type { StackReport } from "./stackReport";
import type { TextStyle } from "./textStyle";

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const warningParagraph = (text: string, width: number): string[] =>
  wrappedLine(text, width - 4).map((line, index) => `  ${index === 0 ? "!" : " "} ${line}`);

/** Why a plan took several times as long as others. */
const slowReason = ({ update: { hostReason } }: Plan): string[] =>
  hostReason === undefined
    ? []
    : [`The program ran in two separate processes, which takes several times as long: ${hostReason}.`];

type Section = (title: string, lines: readonly string[]) => string[];

/** Everything that a plan says. */
function wholeLines(
  { cluster, warnings }: Plan,
  { cost, findings }: Pick<StackReport, "cost" | "findings">,
  section: Section,
  width: number,
): string[] {
  const money = costTable({ cost });
  const [, rest] = errorsAndRest(findings);
  return [
    ...clusterSections(cluster).flatMap(({ title, rows }) => section(title, rowLines(rows, width))),
    ...(money === undefined
      ? []
      : section(money.title, [...rowLines(costTextRows(money), width), ...paragraph(money.note, width)])),
    ...section(
      "Policies",
      rest.length === 0 ? [] : [...rowLines(rest.map(findingRow), width), ...paragraph(policiesNote, width)],
    ),
    ...section(
      "Warnings",
      warningsBeside(warnings, findings).flatMap((text) => warningParagraph(text, width)),
    ),
  ];
}

/** What fits on one screen. */
function summaryLines(
  plan: Plan,
  { cost, findings }: Pick<StackReport, "cost" | "findings">,
  section: Section,
  width: number,
): string[] {
  const { cluster } = plan;
  const sentence = (title: string, text: string): string[] =>
    section(title, text === "" ? [] : paragraph(text, width));
  return [
    ...summarySections(cluster).flatMap(({ title, rows }) => section(title, rowLines(rows, width))),
    ...sentence("Add-ons", addonsText(cluster)),
    ...sentence(othersTitle, othersLine(cluster)),
    ...sentence("Cost", costLine(cost)),
    ...section("Warnings", warningLines(plan, findings, width)),
  ];
}

/** The text of a plan: what the stack is, and its warnings. */
export function formatPlan(
  plan: Plan,
  report: Pick<StackReport, "cost" | "findings"> & {
    readonly out: string;
    readonly files: readonly string[];
  },
  { color, width, verbose }: TextStyle,
): string {
  const { out, files, findings } = report;
  const paint = painter(color);
  const [errors] = errorsAndRest(findings);
  const section: Section = (title, lines) =>
    lines.length === 0 ? [] : [paint("bold", inLine(title)), ...lines, ""];
  const first = headline({ stack: plan.stack, plan, ...withoutUndefined({ findings }) });
  const body = verbose ? wholeLines : summaryLines;
  return [
    paint("bold", inLine(`${plan.stack}: ${first}`)),
    "",
    ...section("Errors of policies", rowLines(errors.map(findingRow), width)),
    ...body(plan, report, section, width),
    `Planned without a cloud in ${seconds(plan.elapsedMs)}; ${files.length} files are in ${inLine(out)}.`,
    ...(verbose
      ? slowReason(plan)
      : [
          `Next: \`npm run preflight -- ${inLine(plan.stack)}\` asks Azure. --verbose shows all, and the cures.`,
        ]),
    ...verdict(findings, plan.warnings),
    "",
  ].join("\n");
}
