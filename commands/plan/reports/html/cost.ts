import type { CostTable } from "../cost";
import type { Html } from "./html";
import { html, wideTable } from "./html";
import { marked } from "./sections";

export const costPart = ({ title, rows, notes }: CostTable): Html =>
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
