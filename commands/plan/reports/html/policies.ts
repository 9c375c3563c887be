import { exceptionText, type Finding } from "../../../../tools/finding";
import { findingWord, messageText, placeText, policyFindings, writeText } from "../policyTexts";
import type { Html } from "./html";
import { html } from "./html";
import { marked } from "./sections";

/** Findings of policies; nothing where there are none. */
export function policyTable(findings: readonly Finding[] | undefined): Html | undefined {
  const shown = policyFindings(findings);
  return shown.length === 0
    ? undefined
    : html`<div class="wide" tabindex="0" role="region" aria-label="Policies">
        <table>
          <thead>
            <tr>
              <th scope="col">level</th>
              <th scope="col">rule</th>
              <th scope="col">place</th>
              <th scope="col">finding</th>
              <th scope="col">what to write</th>
            </tr>
          </thead>
          <tbody>
            ${shown.map((finding) => {
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
            })}
          </tbody>
        </table>
      </div>`;
}
