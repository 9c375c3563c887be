import { exceptionText, type Finding } from "../../../../tools/finding";
import { countsText, findingWord, messageText, placeText, policyFindings, writeText } from "../policyTexts";
import { block, details, section } from "./blocks";
import type { Block, Section } from "./budget";
import { code, marked, prose } from "./escape";

/** Findings of policies in Markdown. */

const signs: Readonly<Record<string, string>> = { error: "🔴", warning: "🟡", note: "🔵", accepted: "⚪" };

const findingBlock = (finding: Finding, index: number): Block =>
  // They are sorted already, and there are never a hundred of importance.
  block("policy", Math.min(index, 99), "finding", () => {
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

export const policySection = (findings: readonly Finding[] | undefined): Section =>
  section("**Policies**\n\n", policyFindings(findings).map(findingBlock));

/** Below a comparison, because few of them come from the change. */
export function foldedPolicies(findings: readonly Finding[] | undefined): Section {
  const shown = policyFindings(findings);
  return details(`Policies: ${countsText(shown)}`, [section("", shown.map(findingBlock))]);
}
