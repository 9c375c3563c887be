import fc from "fast-check";
import { html } from "../../../plan/reports/html/html";
import { htmlReport } from "../../../plan/reports/html/page";
import type { Plan } from "../../../plan/model/plan";
import { planOf } from "../../support/plans";
import { browser, inBrowser } from "./browser";
import { anyReports, example, nastyText, unchanged } from "./comparisons";

let plan: Plan;
beforeAll(async () => {
  plan = await planOf("prod");
});

/** A stack with everything to show, and one that does not change. */
const page = (): string =>
  htmlReport([
    { stack: "same", comparison: unchanged },
    { stack: "prod", plan, comparison: { ...example, warnings: plan.warnings } },
  ]);

const tags = (text: string): string[] =>
  [...text.replace(/<style>.*<\/style>/s, "").matchAll(/<([a-z]\w*)/g)].map(([, name]) => name ?? "");

describe("the HTML report", () => {
  it("escapes whatever is put into it", () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        expect(html`<a title="${text}">${text}</a>`.markup.replace(/[^<>"']/g, "")).toBe('<""><>');
      }),
    );
  });

  it("has no markup of a comparison's own, whatever it says", () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        const text = htmlReport(reports);
        const known =
          "html head meta title style body header h1 p code nav ul li a span main section h2 h3 h4 ol";
        const all = [...known.split(" "), "strong", "details", "summary", "pre"];
        expect(tags(text).filter((name) => !all.includes(name))).toEqual([]);
        expect(text).not.toMatch(/href="(?!#stack-|https:\/\/)/);
      }),
      { numRuns: 40 },
    );
  });

  it("needs nothing from anywhere: no script, no picture, no font, and says so to the browser", () => {
    const text = page();
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|\bsrc=|url\((?!#)|javascript:/);
    expect(text).not.toMatch(/<\w+[^>]* on\w+=/);
  });

  it("has the worst stack first, and what it means before what it is", () => {
    const text = page();
    const places = [
      'id="stack-0"',
      "What it means",
      "its location cannot change",
      "What changes",
      "The cluster",
      "<svg",
    ];
    const found = places.map((place) => text.indexOf(place));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
    expect(text.indexOf(">prod</h2>")).toBeLessThan(text.indexOf(">same</h2>"));
    expect(text).toContain(
      '<a href="https://learn.microsoft.com/azure" rel="noreferrer">learn.microsoft.com</a>',
    );
  });

  it("shows what our texts mark with backticks as code", () => {
    expect(page()).toContain("write your own before <code>pulumi up</code>");
  });

  it("is the same for the same plan", () => {
    expect(page()).toBe(page());
  });
});

/** Run in the page; lists what is wrong with it. */
const faults = `() => {
  const found = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) found.push("the page scrolls sideways: " + root.scrollWidth);
  const shown = [...document.querySelectorAll("svg.topology")].filter((svg) => svg.getBoundingClientRect().width > 0);
  if (shown.length !== 1) found.push("drawings: " + shown.length);
  for (const box of shown[0].querySelectorAll("g.box")) {
    const outer = box.querySelector("rect").getBBox();
    const texts = [...box.children].filter(({ tagName }) => tagName === "text");
    const boxes = texts.map((text) => ({ text: text.textContent, box: text.getBBox() }));
    for (const { text, box: inner } of boxes) {
      if (inner.x < outer.x || inner.x + inner.width > outer.x + outer.width || inner.y < outer.y || inner.y + inner.height > outer.y + outer.height)
        found.push("text leaves its box: " + text);
    }
    boxes.forEach((a, index) => boxes.slice(index + 1).forEach((b) => {
      const over = Math.min(a.box.x + a.box.width, b.box.x + b.box.width) - Math.max(a.box.x, b.box.x);
      const under = Math.min(a.box.y + a.box.height, b.box.y + b.box.height) - Math.max(a.box.y, b.box.y);
      if (over > 0.5 && under > 2.5) found.push("texts overlap: " + a.text + " / " + b.text);
    }));
  }
  const rgb = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => rgb(colour).slice(0, 3).map((each) => each / 255)
    .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const own = at.namespaceURI.endsWith("svg")
        ? (at.tagName === "g" ? getComputedStyle(at.querySelector("rect")).fill : undefined)
        : getComputedStyle(at).backgroundColor;
      if (own && rgb(own)[3] !== 0) return own;
    }
    return "rgb(255, 255, 255)";
  };
  for (const element of document.querySelectorAll("p, li, span, code, a, td, th, dt, h1, h2, h3, h4, summary, text")) {
    if (element.closest("#said") || ![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(element.tagName === "text" ? style.fill : style.color), light(groundOf(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) found.push("contrast " + contrast.toFixed(2) + ": " + element.tagName + "." + element.className + " " + element.textContent.slice(0, 40));
  }
  return { found: [...new Set(found)], ground: getComputedStyle(document.body).backgroundColor };
}`;

// Headless Chromium is never narrower than 500 pixels.
const views = [1280, 500].flatMap((width) => [false, true].map((dark) => ({ width, dark })));

if (browser === undefined) {
  it.skip("skipped in a browser: neither CHROME_BIN nor PATH has a Chromium", () => undefined);
} else {
  it.each(views)("in a browser, %j, nothing overlaps, leaves its box or has too little contrast", (view) => {
    // One start of the browser for each view.
    expect(inBrowser(page(), view, faults)).toEqual({
      found: [],
      ground: view.dark ? "rgb(16, 21, 29)" : "rgb(246, 247, 249)",
    });
  });
}
