import { exceptionText, type Finding } from "../../../../tools/finding";
import { findingWord, messageText, placeText, policyFindings, writeText } from "../policyTexts";
import type { Html } from "./html";
import { html, wideTable } from "./html";
import { marked } from "./sections";

/** Findings of policies; nothing where there are none. */
export function policyTable(findings: readonly Finding[] | undefined): Html | undefined {
  const shown = policyFindings(findings);
  return shown.length === 0
    ? undefined
    : wideTable(
        "Policies",
        ["level", "rule", "place", "finding", "what to write"],
        shown.map((finding) => {
          const exception = exceptionText(finding);
          const write = writeText(finding);
          return html`<tr>
            <td>${findingWord(finding)}</td>
            <th scope="row">${finding.id}</th>
            <td class="id">${placeText(finding)}</td>
            <td>
              ${marked(messageText(finding))} ${exception !== undefined && html`<div>${exception}</div>`}
            </td>
            <td>${write !== undefined && html`<code>${write}</code>`}</td>
          </tr>`;
        }),
      );
}
