import type { PropertyChange, ResourceChange } from "../compare/stackDiff";
import type { Impact, Severity, StackComparison } from "../impact/impact";
import { present } from "capz-windows-kit/present";
import { formatList, pluralize } from "../impact/format";
import { painter, type Paint, type Style } from "capz-windows-kit/io/terminal";
import type { Schedule } from "../impact/scheduleSchema";
import { workTexts } from "./scheduleTexts";
import { costTable, costTextRows } from "./cost";
import type { Finding } from "capz-windows-kit/finding";
import { inLine, paragraph, rowLines, wrappedLine } from "./layout";
import {
  countsText,
  errorsAndRest,
  findingRow,
  findingWord,
  messageText,
  warningsBeside,
} from "./policyTexts";
import { pathChangeRow } from "./networkRows";
import { headline } from "./headline";
import { sourceParts } from "./sources";
import {
  authoredProperties,
  byReason,
  differs,
  isRefused,
  noteOf,
  type Reasoned,
  refusedNote,
  resourceCounts,
  type StackReport,
  whatHappens,
} from "./stackReport";
import type { TextStyle } from "./textStyle";
import { visibleText as visible } from "capz-windows-kit/visible";
import { firstLines, wholeLines, showValue } from "./values";

/** Comparisons for a terminal or a log. */

/** How one report is written. */
interface Pen extends TextStyle {
  readonly paint: Paint;
}

const indented = (text: string, indent: string): string => text.replace(/^/gm, indent);

const oneLine = (value: unknown): string => showValue(value, 160);

const styles = { "+": "green", "-": "red", "@": "blue" } as const;

const diffLine = (paint: Paint, line: string): string => {
  const style = styles[line[0] as keyof typeof styles] as (typeof styles)["+" | "-" | "@"] | undefined;
  return style === undefined ? line : paint(style, line);
};

/** Lines of a long text that are shown; `--verbose` shows all. */
const shownLines = 20;

function textLines({ paint, verbose }: Pen, name: string, change: PropertyChange): string[] {
  const most = verbose ? Infinity : shownLines;
  const whole = wholeLines(change, most);
  if (whole !== undefined) {
    return "before" in change
      ? [paint("red", `      - ${name}: ${whole} lines`)]
      : [paint("green", `      + ${name}: ${whole} lines`)];
  }
  const lines = firstLines(change.text ?? [], most, 240, " (--verbose shows them)");
  return [`      ${name}`, ...lines.map((line) => `        ${diffLine(paint, line)}`)];
}

function propertyLines(pen: Pen, change: PropertyChange): string[] {
  const { paint } = pen;
  const { path, before, after, text } = change;
  const name = oneLine(path);
  if (text) {
    return textLines(pen, name, change);
  }
  if (before === undefined) {
    return [paint("green", `      + ${name}: ${oneLine(after)}`)];
  }
  return after === undefined
    ? [paint("red", `      - ${name}: ${oneLine(before)}`)]
    : [`      ~ ${name}: ${paint("red", oneLine(before))} -> ${paint("green", oneLine(after))}`];
}

const severityStyles: Readonly<Record<Severity, Style>> = {
  refused: ["bold", "red"],
  destroys: ["bold", "red"],
  replaces: "magenta",
  rolls: "yellow",
  changes: "cyan",
  metadata: "gray",
};

const marks = {
  delete: { sign: "-", style: "red" },
  replace: { sign: "-/+", style: "magenta" },
  update: { sign: "~", style: "yellow" },
  create: { sign: "+", style: "green" },
} as const;

function changeLines(pen: Pen, change: ResourceChange): string[] {
  const { kind, type, name, formerUrn, properties, options } = change;
  const { sign, style } = marks[kind];
  const was = formerUrn === undefined ? "" : `  (was ${oneLine(formerUrn.split("::").at(-1) ?? "")})`;
  return [
    `  ${pen.paint(style, sign.padEnd(3))} ${pen.paint("bold", oneLine(name))}  ${oneLine(type)}${was}`,
    ...[...properties, ...options].flatMap((property) => propertyLines(pen, property)),
  ];
}

const margin = " ".repeat(12);

const digest = /@sha256:[0-9a-f]{64}/g;

function impactLines({ paint, width, verbose }: Pen, { first: worst, all }: Reasoned): string[] {
  const { severity, why, instead, commands = [] } = worst;
  const lines = (text: string): string[] =>
    wrappedLine(verbose ? text : text.replaceAll(digest, "@sha256:…"), width - margin.length);
  const [first = "", ...rest] = all.flatMap(({ what }) => lines(what));
  const sources = verbose ? [...new Set(all.map(({ source }) => source))] : [];
  const urls = sources.flatMap(sourceParts).flatMap(({ url }) => url ?? []);
  return [
    `  ${paint(severityStyles[severity], severity.padEnd(9))} ${first}`,
    ...[
      ...rest,
      ...lines(`why: ${why}`),
      ...(instead === undefined ? [] : lines(`instead: ${instead}`)),
      // In one line each, so that they can be copied.
      ...commands.map((command) => `  ${inLine(command)}`),
      ...urls.map((url) => `see: ${url}`),
    ].map((line) => margin + line),
  ];
}

/** What nothing that runs notices is counted, unless everything is asked for or there is nothing else. */
function impactSection(pen: Pen, impacts: readonly Impact[]): string[] {
  const quiet = impacts.filter(({ severity }) => severity === "metadata");
  const isFolded = !pen.verbose && quiet.length > 1 && quiet.length < impacts.length;
  const shown = isFolded ? impacts.filter((impact) => !quiet.includes(impact)) : impacts;
  const lines = byReason(shown).flatMap((reasoned) => impactLines(pen, reasoned));
  return isFolded ? [...lines, `  metadata  ${quiet.length} more, which nothing that runs notices`] : lines;
}

/** A warning that is new is whole; one that is gone has a line. */
function warningLines({ width, verbose }: Pen, text: string, sign: string): string[] {
  const lines = wrappedLine(text, width - 5);
  const [first = ""] = lines;
  if (!verbose && sign === "" && lines.length > 1) {
    return [`  ${first}…`];
  }
  return lines.map((line, index) => `  ${index === 0 ? sign : "  "}${line}`);
}

/** "4 resources, user data in 3 files, 2 outputs" */
function hiddenText({ changes, nodes, outputs }: StackComparison): string[] {
  const parts = present(
    changes.length > 0 && pluralize(changes.length, "resource"),
    nodes.length > 0 && `user data in ${pluralize(nodes.length, "file")}`,
    outputs.length > 0 && pluralize(outputs.length, "output"),
  );
  return parts.length === 0 ? [] : ["", `--verbose shows ${formatList([...parts, "the sources"])}.`];
}

const scheduleLines = ({ paint, width }: Pen, schedule: Schedule | undefined): string[] => {
  if (schedule === undefined) {
    return [];
  }
  const lines = (texts: readonly string[]): string[] => texts.flatMap((text) => paragraph(text, width));
  const atRisk = schedule.risks.length === 0 ? [] : ["", paint("bold", "At risk"), ...lines(schedule.risks)];
  return ["", paint("bold", "How long it takes"), ...lines(workTexts(schedule)), ...atRisk];
};

/** They are counted, because few of them come from the change. */
function countedPolicies({ width }: Pen, findings: readonly Finding[], added: number): string[] {
  const counts = countsText(findings);
  const which = added === 0 ? counts : `with these, ${counts}`;
  return paragraph(`${which}: the plan without --against shows them`, width);
}

/** What the change adds to what policies find; what one rule says of several places is said once. */
function addedPolicies({ width }: Pen, added: readonly Finding[]): string[] {
  const firsts = added.filter(({ id }, index) => added.findIndex((other) => other.id === id) === index);
  const rows = firsts.map((first) => {
    const others = added.filter((other) => other.id === first.id && other !== first);
    const also = others.length === 0 ? [] : [`the same: ${others.map(({ path }) => path).join(", ")}`];
    return { label: `new ${findingWord(first)}`, lines: [messageText(first), ...also] };
  });
  return rowLines(rows, width);
}

type Compared = StackReport & { readonly comparison: StackComparison };

function stackLines(pen: Pen, report: Compared): string[] {
  const { paint, verbose } = pen;
  const { comparison, cost, findings } = report;
  const { project, stack, against, status, failure } = comparison;
  if (status === "failed") {
    // The reason stands below as a whole.
    const first = paint("bold", `${oneLine(stack)}: could not be planned`);
    return [first, "", indented(visible(failure ?? ""), "  ")];
  }
  const title = [
    paint("bold", `${oneLine(stack)}: ${showValue(headline(report), 600)}`),
    `${oneLine(project)} against ${oneLine(against)}; resources: ${resourceCounts(comparison)}`,
  ];
  const money = costTable({ cost, comparison });
  const [errors, rest] = errorsAndRest(findings);
  const [, added] = errorsAndRest(report.newFindings);
  const errorLines =
    errors.length === 0
      ? []
      : ["", paint("bold", "Errors of policies"), ...rowLines(errors.map(findingRow), pen.width)];
  if (!differs(comparison)) {
    return [...title, ...errorLines];
  }
  const shown = verbose ? comparison : whatHappens(comparison);
  const property = (change: PropertyChange): string[] => propertyLines(pen, change);
  const section = <T>(name: string, all: readonly T[], lines: (each: T) => string[]): string[] =>
    all.length === 0 ? [] : ["", paint("bold", name), ...all.flatMap(lines)];
  const warning = (sign: string) => (text: string) => warningLines(pen, text, sign);
  return [
    ...title,
    ...errorLines,
    ...section("Changed in the stack", authoredProperties(comparison), (change) => [
      ...property(change),
      ...[noteOf(change) ?? []].flat().map((note) => `        ${note}`),
    ]),
    ...scheduleLines(pen, comparison.schedule),
    ...section("What follows", shown.impacts.length === 0 ? [] : [shown.impacts], (impacts) =>
      impactSection(pen, impacts),
    ),
    ...(isRefused(comparison) && !verbose
      ? ["", ...wrappedLine(`${refusedNote} --verbose shows it.`, pen.width)]
      : []),
    ...section("Network paths", shown.paths ?? [], (change) => rowLines([pathChangeRow(change)], pen.width)),
    ...section(money?.title ?? "", money === undefined ? [] : [money], (table) => [
      ...rowLines(costTextRows(table), pen.width),
      ...paragraph(table.note, pen.width),
    ]),
    ...(verbose
      ? [
          ...section("Changes", shown.changes, (change) => changeLines(pen, change)),
          ...section("User data", shown.nodes, property),
          ...section("Outputs", shown.outputs, property),
        ]
      : []),
    ...section("Policies", rest.length === 0 ? [] : [rest], (all) => [
      ...addedPolicies(pen, added),
      ...countedPolicies(pen, all, added.length),
    ]),
    ...section(
      "New warnings",
      warningsBeside(comparison.warnings, findings),
      warning(`${paint("yellow", "!")} `),
    ),
    ...section("Warnings that are gone", comparison.fixedWarnings, warning("")),
    ...(verbose ? [] : hiddenText(comparison)),
  ];
}

export function formatComparisons(reports: readonly StackReport[], style: TextStyle): string {
  const pen = { ...style, paint: painter(style.color) };
  const stacks = reports
    .flatMap(({ comparison, ...report }) => (comparison === undefined ? [] : [{ ...report, comparison }]))
    .map((report) => stackLines(pen, report).join("\n"));
  return `${stacks.join("\n\n")}\n`;
}
