import { exceptionText, levels, type Finding } from "capz-windows-kit/finding";
import { warningsOnlyIn } from "capz-windows-kit/warningText";
import type { ReportRow } from "./layout";

/** Findings of policies, as reports for people show them. */

/** Other warnings and problems have a place in reports already. */
const elsewhere: readonly string[] = ["stack-warning", "stack-problem"];

/** How a finding is shown: by its level, or as accepted. */
export const findingWord = ({ level, accepted }: Finding): string =>
  accepted === undefined ? level : "accepted";

const words: readonly string[] = [...levels, "accepted"];

/** Worst first; what is accepted comes last. */
export const policyFindings = (findings: readonly Finding[] = []): Finding[] =>
  findings
    .filter(({ id }) => !elsewhere.includes(id))
    .sort((a, b) => words.indexOf(findingWord(a)) - words.indexOf(findingWord(b)));

export const messageText = ({ path, message }: Pick<Finding, "path" | "message">): string =>
  path === "" ? message : `${path}: ${message}`;

/** The warnings that no finding of a policy says. */
export const warningsBeside = (
  warnings: readonly string[],
  findings: readonly Finding[] | undefined,
): readonly string[] => {
  const said = policyFindings(findings).map(messageText);
  return said.length === 0 ? warnings : warningsOnlyIn(warnings, said);
};

/** What to write; nothing for what is accepted. */
export const writeText = ({ write, accepted }: Finding): string | undefined =>
  accepted === undefined ? write : undefined;

export const placeText = ({ file, line }: Finding): string => `${file}:${line}`;

const plural: Readonly<Record<string, string>> = { error: "errors", warning: "warnings", note: "notes" };

/** "1 error, 6 warnings, 2 accepted" */
export const countsText = (findings: readonly Finding[]): string =>
  words
    .map((word) => ({ word, count: findings.filter((one) => findingWord(one) === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${count === 1 ? word : (plural[word] ?? word)}`)
    .join(", ");

/** For a terminal: the finding, its rule and place, and the line to copy. */
export const findingRow = (finding: Finding): ReportRow => {
  const exception = exceptionText(finding);
  const write = writeText(finding);
  return {
    label: findingWord(finding),
    lines: [
      `${messageText(finding)} (${finding.id}, ${placeText(finding)})`,
      ...(exception === undefined ? [] : [exception]),
      ...(write === undefined ? [] : [{ command: `write: ${write}` }]),
    ],
  };
};

/** Errors that no exception accepts, and the rest. */
export function errorsAndRest(findings: readonly Finding[] | undefined): readonly [Finding[], Finding[]] {
  const shown = policyFindings(findings);
  const isError = (finding: Finding): boolean => findingWord(finding) === "error";
  return [shown.filter(isError), shown.filter((finding) => !isError(finding))];
}

/** The last line of a plan: "1 error, 6 warnings of policies, 1 other warning". */
export function verdict(findings: readonly Finding[] | undefined, others: readonly string[]): string[] {
  const policies = policyFindings(findings);
  const besides = warningsBeside(others, findings).length;
  const parts = [
    ...(policies.length === 0 ? [] : [`${countsText(policies)} of policies`]),
    ...(besides === 0 ? [] : [`${besides} other ${besides === 1 ? "warning" : "warnings"}`]),
  ];
  return parts.length === 0 ? [] : [`${parts.join(", ")}.`];
}

/** Where a reader finds more. */
export const policiesNote = "docs/policies.md says why, and how to accept a finding until a day.";
