import fc from "fast-check";
import { htmlReport } from "../../../plan/reports/html/page";
import type { ClusterModel } from "../../../plan/model/cluster/types";
import type { Plan } from "../../../plan/model/plan";
import { planOf } from "../../support/plans";
import { isThorough } from "capz-windows-test-kit/sample";
import { browser, inBrowser } from "./browser";
import { anyReports, example, unchanged } from "./comparisons";

let plan: Plan;
beforeAll(async () => {
  plan = await planOf("prod");
});

/** The base of a cluster with a difference for each mark of a picture: a changed value, a new pool and a removed one. */
const baseOf = ({ cluster }: Plan): ClusterModel => ({
  ...cluster,
  network: { ...cluster.network, mtu: 1500, podMtu: 1450 },
  pools: [{ ...cluster.pools[0]!, name: "older" }, ...cluster.pools.slice(1)],
});

/** The page of a stack with everything to show, and of an unchanged one. */
const page = (head: Plan = plan): string =>
  htmlReport([
    { stack: "same", comparison: unchanged },
    {
      stack: "prod",
      plan: head,
      base: baseOf(plan),
      comparison: { ...example, warnings: plan.warnings },
    },
  ]);

/**
 * The plan with the longest names that Azure, Kubernetes or a stack file allow, which have no place for a line break.
 */
function withLongNames({ cluster, ...rest }: Plan): Plan {
  const [pool] = cluster.pools;
  const longName = "w".repeat(63);
  return {
    ...rest,
    cluster: {
      ...cluster,
      name: longName,
      resourceGroup: "W".repeat(90),
      apiServer: { ...cluster.apiServer, host: `${longName}.${longName}.cloudapp.azure.com` },
      pools: Array.from({ length: 12 }, (_, index) => ({
        ...pool!,
        name: `${longName}${index}`,
        vmSize: "Standard_".padEnd(60, "X"),
        shortImage: "M".repeat(80),
        firstNodes: [longName, longName],
      })),
    },
  };
}

const tags = (text: string): string[] =>
  [...text.replace(/<style>.*<\/style>/s, "").matchAll(/<([a-z]\w*)/g)].map(([, name]) => name ?? "");

describe("the HTML report", () => {
  it("never takes markup from the texts of a comparison", () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        const text = htmlReport(reports);
        const known =
          "html head meta title body main p code pre h2 h3 ul li div span table thead tbody tr th td hr a blockquote";
        const all = [...known.split(" "), "strong", "em", "details", "summary", "ins", "del"];
        expect(tags(text).filter((name) => !all.includes(name))).toEqual([]);
        expect(text).not.toMatch(/href="(?!https:\/\/)/);
      }),
      { numRuns: 40 },
    );
  });

  it("loads nothing: no script, no image, no font, and its policy forbids it", () => {
    const text = page();
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|\bsrc=|url\((?!#)|javascript:/);
    expect(text).not.toMatch(/<\w+[^>]* on\w+=/);
  });

  it("has the headline of the worst stack first, then the picture, and impacts before properties", () => {
    const text = page();
    const places = ["<h3>", 'class="picture"', "What follows", "its location cannot change", "Resources:"];
    const found = places.map((place) => text.indexOf(place));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
    expect(text).toContain('<a href="https://learn.microsoft.com/azure">learn.microsoft.com</a>');
  });

  it("has the picture of a stack that is not compared first", () => {
    const text = htmlReport([{ stack: "prod", plan }]);
    expect(text).toMatch(/<h3><code>prod<\/code>: Kubernetes [^<]*<\/h3>\s*<div class="picture">/);
    expect(text).not.toContain("flowchart");
  });

  it("shows text between backticks as code", () => {
    const text = htmlReport([{ stack: "prod", plan: { ...plan, warnings: ["run `pulumi up` first"] } }]);
    expect(text).toContain("run <code>pulumi up</code> first");
  });

  it("is the same for the same plan", () => {
    expect(page()).toBe(page());
  });
});

/** A function that runs in the page and lists the layout faults. */
const faults = `() => {
  const found = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > innerWidth) {
    const wide = [...document.querySelectorAll("main *, header *")].filter((element) =>
      !element.closest(".wide, .diff") && element.clientWidth > 0 && element.scrollWidth > element.clientWidth);
    found.push("the page scrolls sideways: " + wide.map(({ tagName, className }) => tagName + "." + className).join(" "));
  }
  const boxes = [...document.querySelectorAll(".box")].filter((box) => box.getBoundingClientRect().width > 0);
  if (boxes.length < 8) found.push("boxes: " + boxes.length);
  const nameOf = (box) => box.textContent.trim().slice(0, 40);
  for (const box of boxes) {
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
      found.push("text leaves its box: " + nameOf(box));
    const own = box.getBoundingClientRect();
    const outer = box.parentElement.closest(".box, .picture").getBoundingClientRect();
    if (own.left < outer.left - 0.5 || own.right > outer.right + 0.5 || own.top < outer.top - 0.5 || own.bottom > outer.bottom + 0.5)
      found.push("box leaves its box: " + nameOf(box));
  }
  const rgb = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => rgb(color).slice(0, 3).map((each) => each / 255)
    .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, index) => sum + each * [0.2126, 0.7152, 0.0722][index], 0);
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const own = getComputedStyle(at).backgroundColor;
      if (own && rgb(own)[3] !== 0) return own;
    }
    return "rgb(255, 255, 255)";
  };
  for (const element of document.querySelectorAll("p, li, span, code, a, td, th, dt, h1, h2, h3, h4, summary, strong, ins, del, mark")) {
    if (element.closest("#said") || ![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "")) continue;
    const style = getComputedStyle(element);
    const [a, b] = [light(style.color), light(groundOf(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) found.push("contrast " + contrast.toFixed(2) + ": " + element.tagName + "." + element.className + " " + element.textContent.slice(0, 40));
  }
  return { found: [...new Set(found)], ground: getComputedStyle(document.body).backgroundColor };
}`;

// Headless Chromium is never narrower than 500 pixels. Outside of CI, a light view.
const views = [false, true].map((dark) => ({ width: 500, dark })).filter(({ dark }) => isThorough || !dark);

if (browser === undefined) {
  it.skip("skipped in a browser: neither CHROME_BIN nor PATH has a Chromium", () => undefined);
} else {
  it.each(views)("in a browser with %j, nothing leaves its box or has too little contrast", (view) => {
    // Dark views show the usual names and light ones the longest, so that each view starts the browser once.
    const shown = view.dark ? page() : page(withLongNames(plan));
    expect(inBrowser(shown, view, faults)).toEqual({
      found: [],
      ground: view.dark ? "rgb(16, 21, 29)" : "rgb(246, 247, 249)",
    });
  });
}
