import { kinds, type PropertyChange, type ResourceChange } from "../../compare/stackDiff";
import type { Impact, StackComparison } from "../../impact/impact";
import type { PoolModel } from "../../model/cluster/types";
import type { TreeNode } from "../../model/tree";
import { shortType } from "../../model/resourceTypes";
import {
  computerNames,
  countText,
  detailLines,
  kindText,
  rolloutText,
  systemText,
  zonesText,
} from "../clusterText";
import { stateText, type ReachPath } from "../../../../platform/network/reach/paths";
import type { ReportRow } from "../layout";
import { pageParts } from "../pages";
import { sourceParts } from "../sources";
import { noteOf, ofKind, pastTense, severityWords } from "../stackReport";
import { propertyLines, showValue } from "../values";
import { type Html, html, wideTable } from "./html";

/** The parts of a stack's page below the picture. */

const sourceOf = (source: string): readonly Html[] =>
  sourceParts(source).map(({ text, url }) =>
    url === undefined ? html`${text}` : html`<a href="${url}" rel="noreferrer">${text}</a>`,
  );

const withPages = (text: string): Html =>
  html`${pageParts(text).map(({ text: part, url }) => (url === undefined ? html`${part}` : html`<a href="${url}">${part}</a>`))}`;

/** The program's own texts mark commands and fields with backticks. */
export const marked = (text: string): readonly Html[] => {
  const parts = text.split("`");
  return parts.length % 2 === 0
    ? [withPages(text)]
    : parts.map((part, index) => (index % 2 === 0 ? withPages(part) : html`<code>${part}</code>`));
};

export const impactList = (impacts: readonly Impact[]): Html =>
  html`<ol class="impacts">
    ${impacts.map(
      ({ severity, what, why, instead, commands = [], nodes, source }) =>
        html`<li class="impact ${severity}">
          <p class="what">
            <span class="severity">${severityWords[severity].label}</span> ${marked(what)}
            ${nodes > 0 && html`<span class="count">${nodes} node${nodes === 1 ? "" : "s"}</span>`}
          </p>
          <p class="why">
            ${marked(why)}
            ${source !== "project" && html`<span class="source">Source: ${sourceOf(source)}</span>`}
          </p>
          ${instead !== undefined && html`<p class="instead"><strong>Instead:</strong> ${marked(instead)}</p>`}
          ${commands.map((command) => html`<p class="instead"><code>${command}</code></p>`)}
        </li>`,
    )}
  </ol>`;

const lineKind = (line: string): string =>
  line.startsWith("@@") ? "hunk" : line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";

const signs: Readonly<Record<string, string>> = { added: "added", removed: "removed" };

/** Readers recognize the kind of a line by its sign; screen readers get it as text. */
const diffBlock = (lines: readonly string[]): Html =>
  html`<pre class="diff" tabindex="0"><code>${lines.map((line) => {
    const kind = lineKind(line);
    return html`<span
      class="${kind}"
      ${signs[kind] !== undefined && html` aria-label="${signs[kind]}: ${line.slice(1)}"`}
      >${line}
    </span>`;
  })}</code></pre>`;

/** Long texts are cut to limit the size of the page. */
const limits = { lines: 2_000, width: 2_000 } as const;

const properties = (changes: readonly PropertyChange[]): Html | undefined =>
  changes.length === 0 ? undefined : diffBlock(changes.flatMap((change) => propertyLines(change, limits)));

const changeItem = ({ name, type, formerUrn, ...change }: ResourceChange): Html => {
  const summary = html`<code>${name}</code>
    <span class="type">${shortType(type)}</span>
    ${formerUrn !== undefined && html`<span class="type">was ${formerUrn.split("::").at(-1)}</span>`}`;
  const body = properties([...change.properties, ...change.options]);
  return body === undefined
    ? html`<li class="plain">${summary}</li>`
    : html`<li>
        <details>
          <summary>${summary}</summary>
          ${body}
        </details>
      </li>`;
};

export const changeList = ({ changes }: StackComparison): readonly Html[] =>
  kinds
    .map((kind) => ({ kind, group: ofKind(changes, kind) }))
    .filter(({ group }) => group.length > 0)
    .map(
      ({ kind, group }) =>
        html`<h4 class="${kind}">${group.length} ${pastTense[kind]}</h4>
          <ul class="changes">
            ${group.map(changeItem)}
          </ul>`,
    );

export const propertyList = (changes: readonly PropertyChange[]): Html =>
  html`<ul class="changes">
    ${changes.map(
      (change) =>
        html`<li>
          <details>
            <summary><code>${change.path}</code></summary>
            ${properties([change])}
          </details>
        </li>`,
    )}
  </ul>`;

/** Keys of the stack file, old → new. */
export const authoredTable = (changes: readonly PropertyChange[]): Html =>
  html`<dl class="rows">
    ${changes.map(
      (change) =>
        html`<dt><code>${change.path}</code></dt>
          <dd>
            ${
              change.text === undefined
                ? html`<code>${"before" in change ? showValue(change.before) : "nothing"}</code> →
                    <code>${"after" in change ? showValue(change.after) : "nothing"}</code>`
                : properties([change])
            }
            ${[noteOf(change) ?? []].flat().map((note) => html`<p class="note">${marked(note)}</p>`)}
          </dd>`,
    )}
  </dl>`;

export const warningList = (warnings: readonly string[], fixed: readonly string[] = []): Html =>
  html`<ul class="warnings">
    ${warnings.map((text) => html`<li>${marked(text)}</li>`)}
    ${fixed.map((text) => html`<li class="fixed"><strong>No longer:</strong> ${marked(text)}</li>`)}
  </ul>`;

export const poolTable = (pools: readonly PoolModel[]): Html =>
  wideTable(
    "Node pools",
    ["pool", "operating system", "machines", "version", "image", "computer names", "rollout", "details"],
    pools.map(
      (pool) =>
        html`<tr>
          <th scope="row">${pool.name}</th>
          <td>${systemText(pool)}</td>
          <td>
            ${countText(pool)} × ${pool.vmSize}<br />${kindText(pool)}
            ${pool.zones.length > 0 && html`<br />${zonesText(pool)}`}
          </td>
          <td>${pool.version}</td>
          <td class="id">${pool.image}</td>
          <td class="id">${computerNames(pool)}</td>
          <td>${rolloutText(pool)}</td>
          <td>
            ${[pool.patches, ...detailLines(pool)].map(
              (line) => line !== undefined && html`<div>${line}</div>`,
            )}
          </td>
        </tr>`,
    ),
  );

export const reachTable = (reach: readonly ReachPath[]): Html =>
  wideTable(
    "Network paths",
    ["from", "to", "port", "state", "by"],
    reach.map(
      (path) =>
        html`<tr>
          <th scope="row">${path.from}</th>
          <td>${path.to}</td>
          <td>${path.port}</td>
          <td>${stateText(path)}</td>
          <td>${path.by}</td>
        </tr>`,
    ),
  );

export const rowList = (rows: readonly ReportRow[]): Html =>
  html`<dl class="rows">
    ${rows.map(
      ({ label, lines }) =>
        html`<dt>${label}</dt>
          ${lines.map((line) =>
            typeof line === "string"
              ? html`<dd>${marked(line)}</dd>`
              : html`<dd><code>${line.command}</code></dd>`,
          )}`,
    )}
  </dl>`;

export const resourceTreeList = (nodes: readonly TreeNode[]): Html =>
  html`<ul class="tree">
    ${nodes.map(({ resource, children, below }) => {
      const label = html`<code>${resource.name}</code>
        <span class="type">${shortType(resource.type)}</span>
        ${resource.options.protect === true && html`<span class="protected">protected</span>`}`;
      return children.length === 0
        ? html`<li>${label}</li>`
        : html`<li>
            <details>
              <summary>${label} <span class="count">${below}</span></summary>
              ${resourceTreeList(children)}
            </details>
          </li>`;
    })}
  </ul>`;
