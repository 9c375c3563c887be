import { kinds, type PathChange, type PropertyChange, type ResourceChange } from "../../compare/stackDiff";
import { type StackComparison, severities } from "../../impact/impact";
import { shortType } from "../../model/resourceTypes";
import type { Schedule } from "../../impact/scheduleSchema";
import { type CostTable, costTable } from "../cost";
import {
  countsText,
  errorsAndRest,
  findingWord,
  messageText,
  placeText,
  warningsBeside,
  writeText,
} from "../policyTexts";
import { pathText } from "azure-network-paths";
import { changeText } from "../networkRows";
import {
  type StackReport,
  authoredProperties,
  byWorst,
  byReason,
  differs,
  isRefused,
  nodesTouched,
  noteOf,
  ofKind,
  pastTense,
  type Reasoned,
  refusedNote,
  resourceCounts,
  severityWords,
  shownCluster,
  whatHappens,
  worst,
} from "../stackReport";
import { headline } from "../headline";
import { scheduleTexts } from "../scheduleTexts";
import { propertyLines, showValue } from "../values";
import { clip } from "capz-windows-kit/visible";
import { block, details, section } from "./blocks";
import { type Block, type Section, commentLimit, fit } from "./budget";
import { shownPicture } from "../picture/shown";
import { mermaid } from "../picture/mermaid";
import { clusterDetails } from "./cluster";
import { cell, code, fenced, linkTo, prose } from "capz-windows-kit/markdown";
import { marked, sourceText } from "./escape";
import { exceptionText, type Finding } from "capz-windows-kit/finding";

/** Findings of policies in Markdown. */
const signs: Readonly<Record<string, string>> = { error: "🔴", warning: "🟡", note: "🔵", accepted: "⚪" };

const findingBlock = (tier: "failure" | "policy", finding: Finding, index: number): Block =>
  // They are sorted already, and there are never a hundred of importance.
  block(tier, Math.min(index, 99), "finding", () => {
    const word = findingWord(finding);
    const exception = exceptionText(finding);
    const write = writeText(finding);
    const place = `${code(finding.id)}, ${code(placeText(finding))}`;
    return [
      `- ${signs[word]} **${word}** ${marked(messageText(finding))} (${place})\n`,
      ...(exception === undefined ? [] : [`  - ${prose(exception)}\n`]),
      ...(write === undefined ? [] : [`  - write: ${code(write)}\n`]),
    ].join("");
  });

const findingSection = (
  title: string,
  findings: readonly Finding[],
  tier: "failure" | "policy" = "policy",
): Section =>
  section(
    title,
    findings.map((finding, index) => findingBlock(tier, finding, index)),
  );

const errorSection = (findings: readonly Finding[] | undefined): Section =>
  findingSection("**Errors of policies**\n\n", errorsAndRest(findings)[0], "failure");

/** Below a comparison, because few of them come from the change. */
function foldedPolicies(findings: readonly Finding[] | undefined): Section {
  const [, rest] = errorsAndRest(findings);
  return details(`Policies: ${countsText(rest)}`, [findingSection("", rest)]);
}

function overviewRow(report: StackReport): string {
  const { stack, comparison } = report;
  if (comparison === undefined) {
    return `| ${cell(stack)} | ${prose(headline(report))} | | |\n`;
  }
  const severity = worst(comparison);
  const nodes = nodesTouched(comparison);
  const { sign, label } = severity === undefined ? { sign: "", label: "" } : severityWords[severity];
  return `| ${cell(stack)} | ${prose(headline(report))} | ${sign} ${label} | ${nodes} |\n`;
}

/** An error of a policy is as bad as what is destroyed. */
function signOf({ comparison, findings }: StackReport): string {
  const severity = comparison && worst(comparison);
  if (severity !== "refused" && errorsAndRest(findings)[0].length > 0) {
    return `${severityWords.destroys.sign} `;
  }
  return severity === undefined ? "" : `${severityWords[severity].sign} `;
}

const hasSection = ({ comparison, findings }: StackReport): boolean =>
  comparison === undefined || differs(comparison) || errorsAndRest(findings)[0].length > 0;

const overview = (reports: readonly StackReport[]): Section =>
  section(
    "| stack | what happens | worst | nodes replaced or lost |\n| --- | --- | --- | --- |\n",
    // They are sorted already. The title of a single one says it all.
    (reports.length === 1 && reports.every(hasSection) ? [] : reports).map((report) =>
      block("overview", 0, "stack", () => overviewRow(report)),
    ),
  );

/** So many of one reason that a block, which is left out as a whole where a report is too long, stays short. */
const mostOfReason = 20;

function parts({ first, all }: Reasoned): Reasoned[] {
  const count = Math.ceil(all.length / mostOfReason);
  return Array.from({ length: count }, (_, index) => ({
    first,
    all: all.slice(index * mostOfReason, (index + 1) * mostOfReason),
  }));
}

function impactBlock({ first, all }: Reasoned): Block {
  const { severity, why, instead, commands = [] } = first;
  return block("impact", severities.indexOf(severity), "impact", () => {
    const { sign, label } = severityWords[severity];
    const sources = [...new Set(all.map(({ source }) => source))].filter((source) => source !== "project");
    const lines = [
      `- ${sign} **${label}** ${all.map(({ what }) => marked(what)).join("\\\n  ")}`,
      `  - why: ${marked(why)}${sources.map((source) => ` (${sourceText(source)})`).join("")}`,
      ...(instead === undefined ? [] : [`  - instead: ${marked(instead, Infinity)}`]),
      ...commands.map((command) => `    - ${code(command, Infinity)}`),
    ];
    return `${lines.join("\n")}\n`;
  });
}

/** Number of properties that are shown for one resource, and of lines for each long text. */
const limits = { properties: 25, lines: 40, width: 240 } as const;

function diffLines(properties: readonly PropertyChange[]): string[] {
  const shown = properties.slice(0, limits.properties).flatMap((change) => propertyLines(change, limits));
  const more = properties.length - limits.properties;
  return more > 0 ? [...shown, `… ${more} more properties`] : shown;
}

const changeBlock = (change: ResourceChange): Block =>
  block("change", kinds.indexOf(change.kind), "change", () => {
    const { kind, name, type, formerUrn } = change;
    const properties = [...change.properties, ...change.options];
    const renamed = formerUrn === undefined ? "" : `, was ${code(formerUrn.split("::").at(-1) ?? formerUrn)}`;
    const head = `**${kind}** ${code(name)} ${code(shortType(type))}${renamed}\n\n`;
    return properties.length === 0 ? head : `${head}${fenced(diffLines(properties), "diff")}\n`;
  });

const scheduleBlock = (schedule: Schedule): Block =>
  block("author", 1, "schedule", () => {
    const lines = scheduleTexts(schedule).map((line) => `- ${prose(line)}\n`);
    return `**How long it takes**\n\n${lines.join("")}\n`;
  });

const valueText = (change: PropertyChange, side: "before" | "after"): string =>
  side in change ? code(showValue(change[side], 160)) : "nothing";

const propertyBlock =
  (tier: "node" | "output", noun: string) =>
  (change: PropertyChange): Block =>
    block(tier, 0, noun, () => `${fenced(diffLines([change]), "diff")}\n`);

const noteText = (change: PropertyChange): string => {
  const note = noteOf(change);
  return note === undefined ? "" : ` (${prose(note)})`;
};

const authoredBlock = (change: PropertyChange): Block =>
  block("author", 0, "key of the stack", () =>
    change.text === undefined
      ? `- ${code(change.path)}: ${valueText(change, "before")} → ${valueText(change, "after")}${noteText(change)}\n`
      : `- ${code(change.path)}\n\n${fenced(diffLines([change]), "diff")}\n`,
  );

const warningBlock =
  (sign: string) =>
  (text: string): Block =>
    block("warning", 0, "warning", () => `- ${sign} ${marked(text)}\n`);

/** The total stands above the table, which is folded. */
function costSection(table: CostTable | undefined): Section {
  if (table === undefined) {
    return section("", []);
  }
  const { title, rows, note } = table;
  const lines = rows.map(
    ({ owner, what, amount }) => `| ${[owner, what, amount].map((text) => prose(text)).join(" | ")} |\n`,
  );
  return section("", [
    block("cost", 0, "cost", () => `**${prose(title)}:** ${prose(rows.at(-1)?.amount ?? "")}\n\n`),
    details("What costs what", [
      section(
        "| for | what | a month |\n| --- | --- | --- |\n",
        lines.map((line) => block("cost", 1, "cost", () => line)),
      ),
      block("cost", 2, "note", () => `${marked(note)}\n\n`),
    ]),
  ]);
}

const pathBlock = (change: PathChange): Block =>
  block("author", 2, "network path", () => `- ${prose(pathText(change))}: ${prose(changeText(change))}\n`);

const failureBlock = (failure: string): Block =>
  block("failure", 0, "failure", () => {
    const lines = failure.split("\n").slice(0, 120);
    return `${fenced(lines.map((line) => clip(line, 500)))}\n`;
  });

function pictureBlocks(report: StackReport, isPage: boolean): Block[] {
  const picture = shownPicture(report, isPage);
  return picture === undefined
    ? []
    : [block("plan", 0, "picture", () => `${fenced(mermaid(picture), "mermaid")}\n`)];
}

/** What a stack becomes: in a comment only where it is new. */
function clusterSections(report: StackReport, isPage: boolean): Section[] {
  const cluster = shownCluster(report);
  return cluster === undefined || (report.comparison?.status !== "new" && !isPage)
    ? []
    : clusterDetails(cluster);
}

function stackSection(
  report: StackReport & { readonly comparison: StackComparison },
  isPage: boolean,
): Section {
  const { comparison, cost, findings } = report;
  const { stack, warnings, fixedWarnings, failure, schedule } = comparison;
  const { changes, nodes, outputs, impacts, paths = [] } = whatHappens(comparison);
  const groups = kinds.map((kind) => ({ kind, group: ofKind(changes, kind) }));
  return section(
    `### ${signOf(report)}${code(stack)}: ${marked(headline(report))}\n\n`,
    [
      ...(failure === undefined ? [] : [failureBlock(failure)]),
      errorSection(findings),
      ...(isPage ? pictureBlocks(report, isPage) : []),
      section("**Changed in the stack**\n\n", authoredProperties(comparison).map(authoredBlock)),
      ...(schedule === undefined ? [] : [scheduleBlock(schedule)]),
      section("**What follows**\n\n", [
        ...byReason(impacts).flatMap(parts).map(impactBlock),
        ...(isRefused(comparison) ? [block("impact", 0, "note", () => `\n${refusedNote}\n`)] : []),
      ]),
      ...(isPage ? [] : pictureBlocks(report, isPage)),
      section("**Network paths**\n\n", paths.map(pathBlock)),
      costSection(costTable({ cost, comparison })),
      findingSection("**New findings of policies**\n\n", errorsAndRest(report.newFindings)[1]),
      section("", [
        ...warningsBeside(warnings, findings).map(warningBlock("⚠️")),
        ...fixedWarnings.map(warningBlock("✅ gone:")),
      ]),
      foldedPolicies(findings),
      ...clusterSections(report, isPage),
      ...(changes.length === 0
        ? []
        : [block("change", 0, "count", () => `Resources: ${resourceCounts(comparison)}.\n\n`)]),
      ...groups.map(({ kind, group }) =>
        details(`${group.length} ${pastTense[kind]}`, group.map(changeBlock)),
      ),
      details(`User data of nodes (${nodes.length})`, nodes.map(propertyBlock("node", "user data file"))),
      details(`Stack outputs (${outputs.length})`, outputs.map(propertyBlock("output", "output"))),
    ],
    "",
  );
}

/** A stack that was planned and not compared. */
const planSection = (report: StackReport): Section => {
  const { stack, plan, cost, findings } = report;
  return section(`### ${signOf(report)}${code(stack)}: ${marked(headline(report))}\n\n`, [
    errorSection(findings),
    ...pictureBlocks(report, true),
    ...(plan === undefined ? [] : clusterDetails(plan.cluster)),
    costSection(costTable({ cost })),
    findingSection("**Policies**\n\n", errorsAndRest(findings)[1]),
    ...warningsBeside(plan?.warnings ?? [], findings).map(warningBlock("⚠️")),
  ]);
};

export interface MarkdownOptions {
  /** A web address of the complete report. */
  readonly whole?: string;
  /** UTF-16 units. */
  readonly limit?: number;
  /** Whether the page of a browser is made of it, which has room for the cluster of each stack. Default: false. */
  readonly isPage?: boolean;
}

/** What a reviewer reads in a pull request. Always under GitHub's limit, whatever the plan says. */
export function markdownReport(
  reports: readonly StackReport[],
  { whole, limit = commentLimit, isPage = false }: MarkdownOptions = {},
): string {
  const sorted = byWorst(reports);
  const against = sorted.find(({ comparison }) => comparison !== undefined)?.comparison?.against;
  const shown = sorted.filter(hasSection);
  const place =
    whole === undefined ? "the HTML and JSON reports have everything" : linkTo("the whole report", whole);
  const document = section(
    `## Plan${against === undefined ? "" : ` against ${code(against)}`}\n\n`,
    [
      overview(sorted),
      ...shown.map((report) =>
        report.comparison === undefined
          ? planSection(report)
          : stackSection({ ...report, comparison: report.comparison }, isPage),
      ),
    ],
    whole === undefined ? "" : `Full texts: ${place}.\n`,
  );
  return fit(document, limit, (missing) => `\n> **Cut to fit:** ${missing}; ${place}.\n`);
}
