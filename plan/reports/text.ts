import type { Impact, PropertyChange, ResourceChange, StackComparison } from "../diff/comparison";

const indented = (text: string, indent: string): string => text.replace(/^/gm, indent);

const short = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
};

function propertyLines({ path, before, after, text }: PropertyChange): string[] {
  if (text) {
    return [`      ${path}`, ...text.map((line) => `        ${line}`)];
  }
  return before === undefined
    ? [`      + ${path}: ${short(after)}`]
    : after === undefined
      ? [`      - ${path}: ${short(before)}`]
      : [`      ~ ${path}: ${short(before)} -> ${short(after)}`];
}

const marks = { delete: "-", replace: "-/+", update: "~", create: "+" } as const;

const changeLines = ({ kind, type, name, formerUrn, properties, options }: ResourceChange): string[] => [
  `  ${marks[kind].padEnd(3)} ${name}  ${type}${formerUrn === undefined ? "" : `  (was ${formerUrn.split("::").at(-1) ?? ""})`}`,
  ...properties.flatMap(propertyLines),
  ...options.flatMap(propertyLines),
];

const impactLines = ({ severity, what, why, instead }: Impact): string[] => [
  `  ${severity.padEnd(9)} ${what}`,
  `  ${" ".repeat(9)} why: ${why}`,
  ...(instead === undefined ? [] : [`  ${" ".repeat(9)} instead: ${instead}`]),
];

function count(changes: readonly ResourceChange[]): string {
  const of = (kind: ResourceChange["kind"]): number =>
    changes.filter((change) => change.kind === kind).length;
  return `${of("create")} new, ${of("update")} changed, ${of("replace")} replaced, ${of("delete")} deleted`;
}

function stackLines(comparison: StackComparison): string[] {
  const { project, stack, against, status, failure, changes, unchanged, outputs, impacts } = comparison;
  const title = `${project}, stack ${stack}, against ${against}`;
  if (status === "failed") {
    return [`${title}: not compared`, "", indented(failure ?? "", "  ")];
  }
  if (status === "compared" && changes.length === 0 && outputs.length === 0) {
    return [`${title}: nothing changes (${unchanged} resources)`];
  }
  const note = status === "compared" ? "" : ` (${status} stack)`;
  const section = (name: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", name, ...lines];
  return [
    `${title}: ${count(changes)}, ${unchanged} unchanged${note}`,
    ...section("Impact", impacts.flatMap(impactLines)),
    ...section("Changes", changes.flatMap(changeLines)),
    ...section("Outputs", outputs.flatMap(propertyLines)),
    ...section(
      "New warnings",
      comparison.warnings.map((text) => `  ! ${text}`),
    ),
    ...section(
      "Warnings that are gone",
      comparison.fixedWarnings.map((text) => `  ${text}`),
    ),
  ];
}

/** Comparisons as plain text. */
export const formatComparisons = (comparisons: readonly StackComparison[]): string =>
  `${comparisons.map((comparison) => stackLines(comparison).join("\n")).join("\n\n")}\n`;
