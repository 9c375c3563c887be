import type { CostTable } from "../cost";
import type { Html } from "./html";
import { html } from "./html";
import { marked } from "./sections";

export const costPart = ({ title, rows, notes }: CostTable): Html =>
  html`<section class="part">
    <h3>${title}</h3>
    ${
      rows.length > 0 &&
      html`<div class="wide" tabindex="0" role="region" aria-label="Cost">
        <table>
          <thead>
            <tr>
              <th scope="col">for</th>
              <th scope="col">what</th>
              <th scope="col">a month</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ owner, what, amount }) =>
                html`<tr>
                  <th scope="row">${owner}</th>
                  <td>${what}</td>
                  <td>${amount}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${notes.map((note) => html`<p>${marked(note)}</p>`)}
  </section>`;
