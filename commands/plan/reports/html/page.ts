import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StackComparison } from "../../impact/impact";
import type { ClusterModel } from "../../model/cluster/types";
import { resourceTree } from "../../model/tree";
import { furtherSections } from "../clusterRows";
import { costTable, type CostTable } from "../cost";
import { drawClusters } from "../picture/picture";
import {
  warningsBeside,
  findingWord,
  messageText,
  placeText,
  policyFindings,
  writeText,
} from "../policyTexts";
import { pathChangeRow } from "../networkRows";
import {
  type StackReport,
  authoredProperties,
  byWorst,
  differs,
  headline,
  isRefused,
  nodesTouched,
  refusedNote,
  severityWords,
  whatHappens,
  worst,
} from "../stackReport";
import { showValue } from "../values";
import { type Html, html, Html as Markup, wideTable } from "./html";
import {
  authoredTable,
  changeList,
  impactList,
  marked,
  poolTable,
  propertyList,
  reachTable,
  resourceTreeList,
  rowList,
  warningList,
} from "./sections";
import { exceptionText, type Finding } from "../../../../tools/finding";
import type { Schedule } from "../../impact/scheduleSchema";
import { scheduleTexts } from "../scheduleTexts";

/** A self-contained page for one or more stacks: no script, no font, no image. */

const scheduleSection = (schedule: Schedule): Html =>
  html`<ul>
    ${scheduleTexts(schedule).map((line) => html`<li>${line}</li>`)}
  </ul>`;

/** Findings of policies; nothing where there are none. */
function policyTable(findings: readonly Finding[] | undefined): Html | undefined {
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

const costPart = ({ title, rows, notes }: CostTable): Html =>
  html`<section class="part">
    <h3>${title}</h3>
    ${
      rows.length > 0 &&
      wideTable(
        "Cost",
        ["for", "what", "a month"],
        rows.map(
          ({ owner, what, amount }) =>
            html`<tr>
              <th scope="row">${owner}</th>
              <td>${what}</td>
              <td>${amount}</td>
            </tr>`,
        ),
      )
    }
    ${notes.map((note) => html`<p>${marked(note)}</p>`)}
  </section>`;

const part = (title: string, body: Html | readonly Html[] | undefined): Html | undefined =>
  body === undefined || (Array.isArray(body) && body.length === 0)
    ? undefined
    : html`<section class="part">
        <h3>${title}</h3>
        ${body}
      </section>`;

const some = <T>(list: readonly T[] | undefined, show: (list: readonly T[]) => Html): Html | undefined =>
  list === undefined || list.length === 0 ? undefined : show(list);

function verdict(comparison: StackComparison): Html {
  const severity = worst(comparison);
  const nodes = nodesTouched(comparison);
  return html`<p class="verdict ${comparison.status === "failed" ? "refused" : (severity ?? "none")}">
    ${severity !== undefined && html`<span class="severity">${severityWords[severity].label}</span>`}
    ${!isRefused(comparison) && headline(comparison)}${nodes !== "" && `; ${nodes} node${nodes === "1" ? "" : "s"} replaced or lost`}
  </p>`;
}

/** A stack as it will be; one whose change is refused stays as it is. */
const headOf = ({ plan, comparison, base }: StackReport): ClusterModel | undefined =>
  comparison !== undefined && isRefused(comparison) ? base : plan?.cluster;

function stackSection(report: StackReport, index: number): Html {
  const { stack, plan, comparison, base } = report;
  const head = headOf(report);
  const money = costTable(report);
  const shown = comparison && whatHappens(comparison);
  const warnings = comparison?.warnings ?? warningsBeside(plan?.warnings ?? [], report.findings);
  const details = html`${comparison?.failure !== undefined && html`<pre class="failure">${comparison.failure}</pre>`}
  ${part("Changed in the stack", comparison && some(authoredProperties(comparison), authoredTable))}
  ${part("How long it takes", comparison?.schedule && scheduleSection(comparison.schedule))}
  ${part("What follows", some(shown?.impacts, impactList))}
  ${comparison !== undefined && isRefused(comparison) && html`<p class="note">${marked(refusedNote)}</p>`}
  ${part("Network paths", some(shown?.paths?.map(pathChangeRow), rowList))} ${money && costPart(money)}
  ${part("Policies", policyTable(report.findings))}
  ${part(
    comparison === undefined ? "Warnings" : "Warnings that are new or resolved",
    warnings.length + (comparison?.fixedWarnings.length ?? 0) === 0
      ? undefined
      : warningList(warnings, comparison?.fixedWarnings),
  )}
  ${part("What changes", shown && changeList(shown))}
  ${part("User data of nodes that changes", some(shown?.nodes, propertyList))}
  ${part("Stack outputs that change", some(shown?.outputs, propertyList))}
  ${part(head === undefined ? "The cluster before the change" : "The cluster", drawClusters(base, head))}
  ${part("Node pools", some(head?.pools, poolTable))}
  ${head && furtherSections(head).map(({ title, rows }) => part(title, some(rows, rowList)))}
  ${part("All network paths", some(head?.reach, reachTable))}
  ${plan && head === plan.cluster && part("All resources", resourceTreeList(resourceTree(plan.resources)))}`;
  return html`<section class="stack" id="stack-${index}">
    <h2>${stack}</h2>
    ${comparison && verdict(comparison)}
    ${
      // Where nothing changes, the stack is folded away.
      comparison === undefined || differs(comparison)
        ? details
        : html`<details>
            <summary>The stack as it is</summary>
            ${details}
          </details>`
    }
  </section>`;
}

const overview = (reports: readonly StackReport[]): Html =>
  html`<nav aria-label="Stacks">
    <ul class="overview">
      ${reports.map(({ stack, comparison, plan }, index) => {
        const severity = comparison && worst(comparison);
        const resources = plan?.resources.length ?? 0;
        return html`<li class="${severity ?? "none"}">
          <a href="#stack-${index}">${stack}</a>
          ${severity !== undefined && html`<span class="severity">${severityWords[severity].label}</span>`}
          <span>${comparison ? headline(comparison) : `${resources} resources`}</span>
        </li>`;
      })}
    </ul>
  </nav>`;

export function htmlReport(found: readonly StackReport[]): string {
  const reports = byWorst(found);
  const against = reports.find(({ comparison }) => comparison !== undefined)?.comparison?.against;
  const names = reports.map(({ stack }) => stack).join(", ");
  const style = readFileSync(join(__dirname, "style.css"), "utf8");
  return `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="color-scheme" content="light dark" />
        <title>Plan of ${names}</title>
        <style>
          ${new Markup(style)}
        </style>
      </head>
      <body>
        <header>
          <h1>Plan of ${names}</h1>
          <p>
            ${against === undefined ? "What the program would create." : html`Compared with <code>${showValue(against)}</code>.`}
            Simulated offline; no cloud was asked, nothing was created, secrets are left out.
          </p>
          ${reports.length > 1 && overview(reports)}
        </header>
        <main>${reports.map(stackSection)}</main>
      </body>
    </html>`.markup
  }\n`;
}
