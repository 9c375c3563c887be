import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StackComparison } from "../../impact/impact";
import { resourceTree } from "../../model/tree";
import { drawClusters } from "../picture/picture";
import type { StackReport } from "../stackReport";
import { byWorst, differs, headline, nodesTouched, severityWords, worst } from "../stackReport";
import { showValue } from "../values";
import type { Html } from "./html";
import { html, Html as Markup } from "./html";
import {
  accessTable,
  changeList,
  impactList,
  poolTable,
  propertyList,
  resourceTreeList,
  warningList,
} from "./sections";

/** One page for one or more stacks that needs nothing else: no script, no font, no image. */

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
    ${headline(comparison)}${nodes > 0 && `; ${nodes} node${nodes === 1 ? "" : "s"} replaced or lost`}
  </p>`;
}

function stackSection({ stack, plan, comparison, base }: StackReport, index: number): Html {
  const pools = plan?.cluster.pools;
  const warnings = comparison?.warnings ?? plan?.warnings ?? [];
  const details = html`${comparison?.failure !== undefined && html`<pre class="failure">${comparison.failure}</pre>`}
  ${part("What it means", some(comparison?.impacts, impactList))}
  ${part(
    comparison === undefined ? "Warnings" : "Warnings that are new or resolved",
    warnings.length + (comparison?.fixedWarnings.length ?? 0) === 0
      ? undefined
      : warningList(warnings, comparison?.fixedWarnings),
  )}
  ${part("What changes", comparison && changeList(comparison))}
  ${part("User data of nodes that changes", some(comparison?.nodes, propertyList))}
  ${part("Stack outputs that change", some(comparison?.outputs, propertyList))}
  ${part(plan === undefined ? "The cluster before the change" : "The cluster", drawClusters(base, plan?.cluster))}
  ${part("Node pools", some(pools, poolTable))} ${part("Access to the nodes", some(pools, accessTable))}
  ${plan && part("All resources", resourceTreeList(resourceTree(plan.resources)))}`;
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
        const resources = plan?.resources.filter(({ custom }) => custom).length ?? 0;
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
