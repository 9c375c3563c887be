import { visible } from "../values";

/** Markup that can safely be put into a page as it is. */
export class Html {
  constructor(readonly markup: string) {}
}

type Part = string | number | Html | undefined | false | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const markup = (part: Part): string => {
  if (part === undefined || part === false) {
    return "";
  }
  if (part instanceof Html) {
    return part.markup;
  }
  return typeof part === "object"
    ? part.map(markup).join("")
    : visible(String(part)).replace(/[&<>"']/g, (character) => entities[character] ?? "");
};

/** A template in which every value is text, escaped for elements and quoted attributes, unless it is Html itself. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(literals.map((literal, index) => literal + markup(parts[index])).join(""));

/** A table that scrolls where the page is narrower. */
export const wideTable = (label: string, columns: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
