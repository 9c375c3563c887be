import type { Plan } from "../model/plan";
import { resourceTree } from "../model/tree";
import { costTable, costTextRows } from "./cost";
import { clusterSections } from "./clusterRows";
import { painter, wrapped } from "../../../io/terminal";
import { withoutUndefined } from "../../../tools/without";
import { headline } from "./headline";
import { paragraph, rowLines } from "./layout";
import { errorsAndRest, findingRow, policiesNote, verdict, warningsBeside } from "./policyTexts";
import { countResources } from "./resourceCount";
import type { StackReport } from "./stackReport";
import type { TextStyle } from "./textStyle";
import { treeLines } from "./treeText";

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const warningLines = (text: string, width: number): string[] =>
  wrapped(text, width - 4).map((line, index) => `  ${index === 0 ? "!" : " "} ${line}`);

/** Why a plan took several times as long as others. */
const slowReason = ({ update: { hostReason } }: Plan): string[] =>
  hostReason === undefined
    ? []
    : [`The program ran in two separate processes, which takes several times as long: ${hostReason}.`];

/** The text of a plan: what the stack creates, its resources, and the warnings. */
export function formatPlan(
  plan: Plan,
  {
    out,
    files,
    cost,
    findings,
  }: Pick<StackReport, "cost" | "findings"> & { readonly out: string; readonly files: readonly string[] },
  { color, width, verbose }: TextStyle,
): string {
  const { resources, cluster, warnings } = plan;
  const paint = painter(color);
  const money = costTable({ cost });
  const [errors, rest] = errorsAndRest(findings);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [paint("bold", title), ...lines, ""];
  return [
    paint(
      "bold",
      `${plan.stack}: ${headline({ stack: plan.stack, plan, ...withoutUndefined({ findings }) })}`,
    ),
    "",
    ...section("Errors of policies", rowLines(errors.map(findingRow), width)),
    ...clusterSections(cluster).flatMap(({ title, rows }) => section(title, rowLines(rows, width))),
    ...(money === undefined
      ? []
      : section(money.title, [
          ...rowLines(costTextRows(money), width),
          ...money.notes.flatMap((note) => paragraph(note, width)),
        ])),
    ...section(`${resources.length} resources, as \`pulumi preview\` counts them`, [
      ...paragraph(`${countResources(resources)}${verbose ? "" : " (--verbose lists each)"}`, width),
      ...treeLines(resourceTree(resources), verbose),
    ]),
    ...section(
      "Policies",
      rest.length === 0 ? [] : [...rowLines(rest.map(findingRow), width), ...paragraph(policiesNote, width)],
    ),
    ...section(
      "Warnings",
      warningsBeside(warnings, findings).flatMap((text) => warningLines(text, width)),
    ),
    `${files.length} files in ${out}: ${[...new Set(files.map((file) => file.replace(/\/.*/, "/")))].join(" ")}`,
    `Planned as a first preview and as an update in ${seconds(plan.elapsedMs)}. Nothing was created, and no cloud was asked.`,
    ...(verbose ? slowReason(plan) : []),
    ...verdict(findings, warnings),
    "",
  ].join("\n");
}
