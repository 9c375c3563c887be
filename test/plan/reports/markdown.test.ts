import fc from "fast-check";
import MarkdownIt from "markdown-it";
import type { StackComparison } from "../../../plan/impact/impact";
import { commentLimit } from "../../../plan/reports/markdown/budget";
import { markdownReport } from "../../../plan/reports/markdown/markdownReport";
import { marked, sourceText } from "../../../plan/reports/markdown/escape";
import { previewMarkdown } from "../../../plan/reports/markdown/preview";
import { cell, code, fenced, linkTo, prose } from "capz-windows-kit/markdown";
import { anyReports, example, nastyText, reportOf, unchanged } from "./comparisons";

/** Parser of the relevant parts of GitHub's Markdown: tables, HTML, and URLs as links. */
const markdown = new MarkdownIt({ html: true, linkify: true });

type Token = ReturnType<typeof markdown.parse>[number];

const flat = (text: string): Token[] =>
  markdown.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);

const htmlOf = (text: string): string[] =>
  flat(text)
    .filter(({ type }) => type.startsWith("html_"))
    .map(({ content }) => content);

/** Running text, in which GitHub looks for mentions and references. */
const plain = (text: string): string =>
  flat(text)
    .filter(({ type }) => type === "text")
    .map(({ content }) => content)
    .join("\n");

const ownHtml = /^(<details><summary>[^<>]*<\/summary>|<\/details>)\n*$/;

/** Expects that a text from outside has not become HTML, a link, a mention or a control character. */
function expectHarmless(text: string): void {
  const html = htmlOf(text);
  expect(html.filter((each) => !ownHtml.test(each))).toEqual([]);
  expect(html.filter((each) => each.startsWith("<details>"))).toHaveLength(
    html.filter((each) => each.startsWith("</details>")).length,
  );
  const types = new Set(flat(text).map(({ type }) => type));
  expect([...types].filter((type) => ["link_open", "image", "code_block"].includes(type))).toEqual([]);
  // GitHub looks for mentions and references in the text after rendering.
  expect(plain(text)).not.toMatch(/@[\w]|#\d|\bgh-\d|https?:\/\/|www\./i);
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e]/);
}

const ofNasty = (check: (text: string) => void) => {
  fc.assert(fc.property(nastyText, check));
};

describe("a value", () => {
  it("in running text is only text, and reads like the original", () => {
    ofNasty((text) => {
      const made = prose(text);
      expectHarmless(`a ${made} b`);
      expect(markdown.parse(`a ${made} b`, {}).map(({ type }) => type)).toEqual([
        "paragraph_open",
        "inline",
        "paragraph_close",
      ]);
    });
    expect(plain(prose("the pool *win1* <b> has `x`")).replaceAll("\n", "")).toBe(
      "the pool *win1* <b> has `x`",
    );
  });

  it("in a sentence of ours may mark code, but nothing else", () => {
    ofNasty((text) => {
      const made = `a ${marked(text)} b`;
      expectHarmless(made);
      const types = new Set(flat(made).map(({ type }) => type));
      const known = ["paragraph_open", "inline", "paragraph_close", "text", "code_inline"];
      expect([...types].filter((type) => !known.includes(type))).toEqual([]);
    });
    expect(marked("run `pulumi up`, then `a_b`.")).toBe("run `pulumi up`, then `a_b`.");
    // A backtick without its partner, and two code spans without a space between them.
    expect(marked("a ` b")).toBe("a \\` b");
    expect(marked("`a``b`")).toBe("\\`a\\`\\`b\\`");
  });

  it("as the source of a rule links to known sites only", () => {
    ofNasty((text) => {
      expectHarmless(`a (${sourceText(text)}) b`);
    });
    expect(sourceText("https://learn.microsoft.com/azure (AKS)")).toBe(
      "[learn.microsoft.com](https://learn.microsoft.com/azure) \\(AKS\\)",
    );
    expect(sourceText("https://learn.microsoft.com.evil.example/azure")).not.toContain("](");
  });

  it("in a line of code stays in it", () => {
    ofNasty((text) => {
      const tokens = flat(`a ${code(text)} b`);
      expect(tokens.map(({ type }) => type)).toEqual([
        ...["paragraph_open", "inline", "text", "code_inline", "text", "paragraph_close"],
      ]);
    });
  });

  it("as the address of a page is one link to the web, or only text", () => {
    const pages = fc.constantFrom(
      "https://github.com/a/b/actions/runs/1",
      "javascript:alert(1)",
      "/",
      "//x/",
    );
    fc.assert(
      fc.property(pages, nastyText, (page, more) => {
        const tokens = flat(`${linkTo("the run", page + more)}\n`);
        const hrefs = tokens.filter(({ type }) => type === "link_open").map((token) => token.attrGet("href"));
        expect(hrefs.length).toBeLessThanOrEqual(page.startsWith("https:") ? 1 : 0);
        expect(hrefs.every((href) => String(href).startsWith("https://github.com/a/b/"))).toBe(true);
        expect(tokens.filter(({ type }) => /^(html|image)/.test(type))).toEqual([]);
        expect(hrefs.length === 0 || plain(linkTo("the run", page + more)) === "the run").toBe(true);
      }),
    );
  });

  it("in a cell of a table makes no other cell", () => {
    ofNasty((text) => {
      const tokens = flat(`| a | b |\n| - | - |\n| ${cell(text)} | c |\n`);
      expect(tokens.filter(({ type }) => type === "td_open")).toHaveLength(2);
    });
  });

  it("in a block stays behind its fence", () => {
    fc.assert(
      fc.property(fc.array(nastyText), (lines) => {
        const tokens = markdown.parse(`${fenced(lines, "diff")}\nafter\n`, {});
        expect(tokens.map(({ type }) => type)).toEqual([
          ...["fence", "paragraph_open", "inline", "paragraph_close"],
        ]);
      }),
    );
  });
});

describe("the Markdown of a comparison", () => {
  it("is harmless and under the limit, whatever the plans say", () => {
    fc.assert(
      fc.property(anyReports, fc.integer({ min: 1_500, max: commentLimit }), (reports, limit) => {
        const text = markdownReport(reports, { limit });
        expect(text.length).toBeLessThanOrEqual(limit);
        expectHarmless(text);
      }),
      { numRuns: 60 },
    );
  });

  it("stays under GitHub's limits for far too much of everything", () => {
    const many = <T>(count: number, make: (index: number) => T): T[] =>
      Array.from({ length: count }, (_, i) => make(i));
    const huge: StackComparison = {
      ...example,
      changes: many(200, (index) => ({
        ...example.changes[0]!,
        name: `resource-${index}`,
        properties: many(50, (at) => ({
          path: `spec.${at}`,
          before: "🌈".repeat(500),
          after: "`".repeat(900),
        })),
      })),
      impacts: many(200, (index) => ({ ...example.impacts[1]!, what: `pool ${index} ${"x".repeat(3_000)}` })),
      warnings: many(100, () => "w".repeat(2_000)),
    };
    const stacks = many(30, (index) => ({
      stack: `stack-${index}`,
      comparison: { ...huge, stack: `stack-${index}` },
    }));
    const text = markdownReport(stacks, { whole: "https://github.example/run/1" });
    expect(text.length).toBeLessThan(65_536);
    expect(Buffer.byteLength(text)).toBeLessThan(262_144);
    // Only the end, because a failure prints the text.
    expect(text.slice(-300)).toMatch(
      /\n> \*\*Cut to fit:\*\* \d+ impacts, 3030 warnings, 30 counts, 6000 changes, .*; \[the whole report\]\(https:\/\/github\.example\/run\/1\)\.\n$/,
    );
    expect(htmlOf(text).filter((each) => !ownHtml.test(each))).toEqual([]);
  });

  it("leaves out whole parts, the least important first, and says which", () => {
    const full = markdownReport(reportOf(example));
    expect(full).not.toContain("Cut to fit");
    const text = markdownReport(reportOf(example), { limit: full.length - 1 });
    expect(text).toContain("**destroys** The VNET network-vnet is deleted and made again");
    expect(text).toContain("1 replaced");
    expect(text).not.toContain("win1/user-data.txt");
    expect(text).toMatch(
      /> \*\*Cut to fit:\*\* .*1 user data file, 1 output; the HTML and JSON reports have everything\.\n$/,
    );
  });

  it("says one reason once, for all that it holds for", () => {
    const [worst, rolls] = example.impacts;
    if (worst === undefined || rolls === undefined) {
      throw new Error("the example has two impacts");
    }
    const others = Array.from({ length: 20 }, (_, index) => ({ ...rolls, what: `Pool p${index} rolls` }));
    const text = markdownReport(reportOf({ ...example, impacts: [worst, rolls, ...others] }));
    expect(text).toContain(
      "- 🟡 **rolls** Windows pool win1 rolls: 2 nodes, surge 1\\\n  Pool p0 rolls\\\n  Pool p1 rolls\\\n",
    );
    expect(text).toContain(
      "  Pool p18 rolls\n  - why: the image is part of the machines\n- 🟡 **rolls** Pool p19 rolls\n  - why:",
    );
    expect(text.match(/why: the image is part of the machines/g)).toHaveLength(2);
  });

  it("has stacks, impacts and properties, the worst first", () => {
    const text = markdownReport([
      ...reportOf({ ...unchanged, stack: "a" }),
      ...reportOf({ ...example, stack: "b" }),
      ...reportOf({ ...unchanged, stack: "c", status: "failed", failure: "Pulumi.c.yaml: 1 problem" }),
    ]);
    expect(text).toMatchInlineSnapshot(`
     "## Plan against \`main (1a2b3c4)\`

     | stack | what happens | worst | nodes replaced or lost |
     | --- | --- | --- | --- |
     | \`c\` | could not be planned: Pulumi.c.yaml: 1 problem |   |  |
     | \`b\` | destroys: The VNET network-vnet is deleted and made again; 1 new warning | 🔴 destroys | 7 |
     | \`a\` | no change |   |  |

     ### \`c\`: could not be planned: Pulumi.c.yaml: 1 problem

     \`\`\`
     Pulumi.c.yaml: 1 problem
     \`\`\`

     ### 🔴 \`b\`: destroys: The VNET network-vnet is deleted and made again; 1 new warning

     **What follows**

     - 🔴 **destroys** The VNET network-vnet is deleted and made again
       - why: its location cannot change ([learn.microsoft.com](https://learn.microsoft.com/azure))
       - instead: make a new stack beside it
     - 🟡 **rolls** Windows pool win1 rolls: 2 nodes, surge 1
       - why: the image is part of the machines

     - ⚠️ controlPlane.replicas: one machine
     - ✅ gone: azure.subscriptionId: the example's

     Resources: 1 replaced, 1 changed, 1 created, 50 unchanged.

     <details><summary>1 replaced</summary>

     **replace** \`network-vnet\` \`VirtualNetwork\`

     \`\`\`diff
     @@ location @@
     - westeurope
     + northeurope
     @@ protect @@
     - true
     \`\`\`

     </details>

     <details><summary>1 changed</summary>

     **update** \`calico-part-1\` \`ConfigMap\`, was \`calico-part-0\`

     \`\`\`diff
     @@ data["calico.yaml"] @@
     @@ -1 +1 @@
     -mtu: 1350
     +mtu: 1400
     \`\`\`

     </details>

     <details><summary>1 created</summary>

     **create** \`x\` \`ConfigMap\`

     </details>

     <details><summary>User data of nodes (1)</summary>

     \`\`\`diff
     @@ win1/user-data.txt @@
     @@ -1 +1 @@
     -a
     +b
     \`\`\`

     </details>

     <details><summary>Stack outputs (1)</summary>

     \`\`\`diff
     @@ mtu @@
     - 1400
     + 1350
     \`\`\`

     </details>

     "
    `);
  });
});

it("the Markdown of a refused change has the refusal, and no changes that will not happen", () => {
  const [refused, rolls] = example.impacts;
  const impacts = [{ ...refused!, severity: "refused" as const }, rolls!];
  const text = markdownReport(reportOf({ ...example, impacts }));
  expect(text).toContain(
    "\n\n### ⛔ `dev`: refused: The VNET network-vnet is deleted and made again; 1 new warning\n",
  );
  expect(text).toContain("`pulumi up` stops at what is refused; the rest of the change is left out here.\n");
  expect(text).toContain("**replace** `network-vnet`");
  expect(text).not.toMatch(/win1|calico|Stack outputs/);
});

describe("the Markdown of real previews", () => {
  const preview = (text: string) => ({
    stack: "dev",
    result: "changes" as const,
    operations: [
      {
        op: "update",
        urn: "urn:pulumi:dev::p::a$kubernetes:core/v1:ConfigMap::x",
        paths: ["data", "@octocat"],
      },
      { op: "delete", urn: "urn:pulumi:dev::p::azure-native:network:NatGateway::nat", paths: [] },
    ],
    text,
  });

  it("is harmless and under the limit", () => {
    fc.assert(
      fc.property(fc.array(nastyText), fc.integer({ min: 1_500, max: commentLimit }), (lines, limit) => {
        const text = previewMarkdown([preview(lines.join("\n"))], { limit });
        expect(text.length).toBeLessThanOrEqual(limit);
        expectHarmless(text);
      }),
    );
  });

  it("names the operations, the worst first, and folds Pulumi's output", () => {
    expect(
      previewMarkdown([
        { ...preview("Previewing\n```") },
        { stack: "prod", result: "unchanged", operations: [], text: "" },
      ]),
    ).toMatchInlineSnapshot(`
     "## Preview

     | stack | operations |
     | --- | --- |
     | \`dev\` | 1 delete, 1 update |
     | \`prod\` | ✅ nothing changes |

     ### \`dev\`: 1 delete, 1 update

     - **delete** \`nat\` \`azure-native:network:NatGateway\`
     - **update** \`x\` \`kubernetes:core/v1:ConfigMap\`: \`data\`, \`@octocat\`

     <details><summary>Output of Pulumi</summary>

     \`\`\`\`
     Previewing
     \`\`\`
     \`\`\`\`

     </details>

     "
    `);
  });
});
