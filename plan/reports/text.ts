import type { PropertyChange, ResourceChange } from "../compare/stackDiff";
import type { Impact, StackComparison } from "../impact/impact";
import type { Paint } from "./colors";
import { painter, severityStyles } from "./colors";
import type { StackReport } from "./stackReport";
import { differs, kinds, ofKind } from "./stackReport";
import { firstLines, showValue, visible } from "./values";

/** Comparisons for a terminal or a log. */

const indented = (text: string, indent: string): string => text.replace(/^/gm, indent);

const oneLine = (value: unknown): string => showValue(value, 160);

const styles = { "+": "green", "-": "red", "@": "blue" } as const;

const diffLine = (paint: Paint, line: string): string => {
  const style = styles[line[0] as keyof typeof styles] as (typeof styles)["+" | "-" | "@"] | undefined;
  return style === undefined ? line : paint(style, line);
};

function propertyLines(paint: Paint, { path, before, after, text }: PropertyChange): string[] {
  const name = oneLine(path);
  if (text) {
    return [`      ${name}`, ...firstLines(text, 200, 240).map((line) => `        ${diffLine(paint, line)}`)];
  }
  return before === undefined
    ? [paint("green", `      + ${name}: ${oneLine(after)}`)]
    : after === undefined
      ? [paint("red", `      - ${name}: ${oneLine(before)}`)]
      : [`      ~ ${name}: ${paint("red", oneLine(before))} -> ${paint("green", oneLine(after))}`];
}

const marks = {
  delete: { sign: "-", style: "red" },
  replace: { sign: "-/+", style: "magenta" },
  update: { sign: "~", style: "yellow" },
  create: { sign: "+", style: "green" },
} as const;

function changeLines(paint: Paint, change: ResourceChange): string[] {
  const { kind, type, name, formerUrn, properties, options } = change;
  const { sign, style } = marks[kind];
  const was = formerUrn === undefined ? "" : `  (was ${oneLine(formerUrn.split("::").at(-1) ?? "")})`;
  return [
    `  ${paint(style, sign.padEnd(3))} ${paint("bold", oneLine(name))}  ${oneLine(type)}${was}`,
    ...[...properties, ...options].flatMap((property) => propertyLines(paint, property)),
  ];
}

function impactLines(paint: Paint, { severity, what, why, instead }: Impact): string[] {
  const space = " ".repeat(9);
  return [
    `  ${paint(severityStyles[severity], severity.padEnd(9))} ${visible(what)}`,
    `  ${space} why: ${visible(why)}`,
    ...(instead === undefined ? [] : [`  ${space} instead: ${visible(instead)}`]),
  ];
}

const words = { create: "new", update: "changed", replace: "replaced", delete: "deleted" } as const;

const count = (changes: readonly ResourceChange[]): string =>
  [...kinds]
    .reverse()
    .map((kind) => `${ofKind(changes, kind).length} ${words[kind]}`)
    .join(", ");

function stackLines(paint: Paint, comparison: StackComparison): string[] {
  const { project, stack, against, status, failure, changes, unchanged, outputs, nodes, impacts } =
    comparison;
  const title = `${oneLine(project)}, stack ${oneLine(stack)}, against ${oneLine(against)}`;
  if (status === "failed") {
    return [paint("bold", `${title}: not compared`), "", indented(visible(failure ?? ""), "  ")];
  }
  if (!differs(comparison)) {
    return [`${title}: nothing changes (${unchanged} resources)`];
  }
  const note = status === "compared" ? "" : ` (${status} stack)`;
  const section = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", paint("bold", name), ...lines];
  return [
    paint("bold", `${title}: ${count(changes)}, ${unchanged} unchanged${note}`),
    ...section(
      "Impact",
      impacts.flatMap((impact) => impactLines(paint, impact)),
    ),
    ...section(
      "Changes",
      changes.flatMap((change) => changeLines(paint, change)),
    ),
    ...section(
      "User data",
      nodes.flatMap((change) => propertyLines(paint, change)),
    ),
    ...section(
      "Outputs",
      outputs.flatMap((change) => propertyLines(paint, change)),
    ),
    ...section(
      "New warnings",
      comparison.warnings.map((text) => `  ${paint("yellow", "!")} ${visible(text)}`),
    ),
    ...section(
      "Warnings that are gone",
      comparison.fixedWarnings.map((text) => `  ${visible(text)}`),
    ),
  ];
}

export function formatComparisons(
  reports: readonly StackReport[],
  { color = false }: { readonly color?: boolean } = {},
): string {
  const stacks = reports
    .map(({ comparison }) => comparison)
    .filter((comparison) => comparison !== undefined)
    .map((comparison) => stackLines(painter(color), comparison).join("\n"));
  return `${stacks.join("\n\n")}\n`;
}
