import * as fc from "fast-check";
import MarkdownIt from "markdown-it";
import { parse } from "yaml";
import { formatSections } from "capz-windows-doctor/access/commands";
import { printable } from "capz-windows-kit/commandLine/output";
import { formatText } from "capz-windows-doctor/report/text";
import { formatImport, jsonImport } from "../../commands/import/report";
import { stackFileText } from "../../commands/import/write";
import { formatRows } from "../../commands/preflight/preflight";
import { format } from "capz-windows-probe/report";
import { formatResults, jsonResults } from "windows-workloads/report";
import { hasHidden } from "capz-windows-kit/visible";
import { cases } from "../preflight/cases";
import { rowsOf, withAzure } from "../preflight/support";
import { isThorough } from "capz-windows-test-kit/sample";
import { hostile, runsOf, value } from "./hostileValues";

/**
 * Reports have values of strangers at every place: answers of Azure and registries, names and messages of a cluster, files. None
 * of them is unseen, begins a line or a command of a pipeline, or fills the report.
 */

const hostileTexts = [
  ...hostile,
  ...[
    "\n::set-output name=status::0",
    "\r\n  ::error::x",
    "##vso[task.setvariable variable=a]b",
    "##[error]x",
  ],
  ...["<img src=x onerror=alert(1)>", "[a](https://evil.example)", "![a](https://evil.example/p.png)", "# a"],
  ...[
    "a | b |\n| --- |",
    "```\nx",
    "<!-- x",
    "](x)",
    "javascript:alert(1)",
    "\u2028x",
    "\u0085x",
    "\u009b31mx",
  ],
  ...["\u001b[31mred", "\r\u001b[2Kall is well", "\u{e0041}\u{e007f}", "\u3164", "\u00ad", "a\u0000b", "⚠️"],
];
const one = fc.oneof(fc.constantFrom(...hostileTexts), value, fc.string({ unit: "binary" }));
const long = fc.constantFrom("x".repeat(300_000), "\u202e".repeat(100_000), "a b ".repeat(50_000));
const record = (...names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, one])));

/** A report as text, from texts that are taken one after the other. */
const reports: Readonly<Record<string, (next: () => string) => string>> = {
  preflight: (next) =>
    formatRows([{ state: "error", check: next(), found: next(), remedy: [next(), next()] }], "dev"),
  workloads: (next) =>
    formatResults({
      found: [
        {
          ...{ workload: next(), source: next(), errors: [next()], notChecked: [next()], notes: [next()] },
          verdicts: [
            { pool: next(), result: "notChecked", reasons: [], notChecked: [next(), next()] },
            { pool: next(), result: "notChecked", reasons: [next()], onlyIf: next() },
          ],
        },
      ],
      unread: [next()],
    }),
  "probe as text": (next) => format(probeReport(next), "text"),
  "probe with colors": (next) => format(probeReport(next), "text", true).replace(/\u001b\[3[19]m/g, ""),
  "probe as Markdown": (next) => format(probeReport(next), "markdown"),
  import: (next) =>
    formatImport(
      {
        kind: "Cluster API objects",
        config: { windowsPools: { [next()]: { files: [] } } },
        open: [{ path: next(), what: next() }],
        leftOut: [{ from: next(), why: next(), instead: next() }],
        unexplained: [next()],
      },
      next(),
    ),
  access: (next) =>
    formatSections([{ title: next(), notes: [next()], commands: [{ what: next(), command: next() }] }], {
      nodes: [],
    } as unknown as Parameters<typeof formatSections>[1]),
  doctor: (next) => formatText(diagnosis(next), { color: false, width: 100_000_000 }),
};

const probeReport = (next: () => string): Parameters<typeof format>[0] => ({
  ...{ version: 1, stack: next(), cluster: next(), kubernetesVersion: next(), nodes: [], ended: next() },
  ...{ startedAt: "a", endedAt: "b" },
  rows: [
    { check: next(), where: next(), expected: next(), measured: next(), verdict: "finding", remedy: next() },
  ],
});

const diagnosis = (next: () => string) =>
  ({
    ...{ cluster: { name: next(), namespace: next() }, takenAt: next(), unread: [next()], complete: false },
    ...{ deleting: false, stack: next() },
    steps: [{ name: next(), state: "running", since: next(), detail: next() }],
    findings: [
      {
        ...{ id: "x", severity: "error", cause: next(), scope: next(), remedy: [next()], page: "docs/x.md" },
        proofs: [{ where: next(), text: next(), since: next() }],
        consequences: [],
      },
    ],
  }) as unknown as Parameters<typeof formatText>[0];

/** A report of texts that come one after the other, again from the beginning where they end. */
function reportOf(name: string, texts: readonly string[]): string {
  let index = 0;
  return reports[name]!(() => texts[index++ % texts.length] ?? "");
}

const lines = (text: string): number => text.split("\n").length;

describe.each(Object.keys(reports))("the report of %s", (name) => {
  it("has the lines that it has with plain values, all of them visible and none a command of a pipeline", () => {
    const plain = reportOf(name, ["a1"]);
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), (texts) => {
        const text = reportOf(name, texts);
        // U+2060 keeps GitHub's Markdown from linking and mentioning (packages/kit/markdown.ts).
        expect(hasHidden(name.includes("Markdown") ? text.replaceAll("\u2060", "") : text)).toBe(false);
        expect(lines(text)).toBe(lines(plain));
        expect(printable(text, false, true)).not.toMatch(/^\s*::|##\[|##vso\[/m);
      }),
    );
  });

  it("is bounded, however long the values are", () => {
    fc.assert(
      fc.property(long, (text) => {
        expect(reportOf(name, [text]).length).toBeLessThan(50_000);
      }),
      { numRuns: 3 },
    );
  });
});

it("probe's Markdown has no link, image, HTML or code of a value, and no other cells", () => {
  const markdown = new MarkdownIt({ html: true, linkify: true });
  const shape = (text: string): string =>
    markdown
      .parse(text, {})
      .flatMap(({ type, children }) => [type, ...(children ?? []).map((child) => child.type)])
      .filter((type) => type !== "text")
      .join();
  const plain = shape(reportOf("probe as Markdown", ["a1"]));
  expect(shape("[a](https://x.example)")).toContain("link_open");
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), (texts) => {
      expect(shape(reportOf("probe as Markdown", texts))).toBe(plain);
    }),
  );
});

it("JSON says what was found, and is visible", () => {
  const json: Readonly<Record<string, (found: Record<string, string>) => [text: string, part: unknown]>> = {
    workloads: (found) => [
      jsonResults(
        {
          found: [
            {
              workload: found.b ?? "",
              source: found.c ?? "",
              errors: [found.d ?? ""],
              notChecked: [],
              notes: [],
              verdicts: [],
            },
          ],
        },
        { stack: found.a },
      ),
      { stack: found.a, workloads: [{ workload: found.b, source: found.c, errors: [found.d] }] },
    ],
    import: (found) => [
      jsonImport({ kind: "apimodel", config: found, open: [], leftOut: [], unexplained: [] }),
      { config: found },
    ],
    probe: (found) => [
      format(
        probeReport(() => found.a ?? ""),
        "json",
      ),
      { stack: found.a, rows: [{ measured: found.a }] },
    ],
  };
  fc.assert(
    fc.property(record("a", "b", "c", "d"), fc.constantFrom(...Object.values(json)), (found, render) => {
      const [text, part] = render(found);
      // On the standard output, all passes the guard of packages/kit/commandLine/output.ts.
      const out = printable(text, false, true);
      expect(hasHidden(out)).toBe(false);
      expect(JSON.parse(text)).toMatchObject(part as object);
    }),
  );
});

it("a stack file from an import has the values, and nothing that its reader does not see", () => {
  fc.assert(
    fc.property(fc.dictionary(one, one), one, fc.array(one), (tags, name, comments) => {
      const config = { tags, name, files: [{ content: `#!/bin/sh\n${name}\n` }] };
      const text = stackFileText(config, comments);
      expect(hasHidden(text)).toBe(false);
      const read: unknown = parse(text, { version: "1.1" });
      const prefixed = Object.entries(config).map(([key, of]): [string, unknown] => [
        `capz-windows:${key}`,
        of,
      ]);
      expect(read).toEqual({ config: Object.fromEntries(prefixed) });
    }),
  );
});

describe("preflight", () => {
  withAzure();

  /** An answer with hostile texts: every one, but those that the stack has named itself. */
  const poisoned = (body: unknown, next: () => string): unknown => {
    if (typeof body === "string") {
      return next() + body;
    }
    if (Array.isArray(body)) {
      return body.map((element) => poisoned(element, next));
    }
    return typeof body === "object" && body !== null
      ? Object.fromEntries(Object.entries(body).map(([key, inner]) => [key, poisoned(inner, next)]))
      : body;
  };

  it("prints what Azure answers as what it is, and its commands stay what they are", async () => {
    const some = fc.sample(fc.constantFrom(...cases), isThorough ? 30 : 4);
    const commands: string[] = [];
    for (const { change, more } of some) {
      const texts = fc.sample(fc.constantFrom(...hostileTexts), 5);
      let index = 0;
      const next = () => texts[index++ % texts.length] ?? "";
      const rows = await rowsOf((...asked) => {
        const reply = change(...asked);
        return reply && { ...reply, body: poisoned(reply.body, next) };
      }, more);
      const report = formatRows(rows, "dev");
      expect(hasHidden(report)).toBe(false);
      expect(lines(report)).toBe(rows.reduce((sum, { remedy }) => sum + 1 + remedy.length, 3));
      commands.push(
        ...rows.flatMap(({ remedy }) => remedy).filter((line) => /^(?:az|kubectl|npm|npx) /.test(line)),
      );
    }
    const wrong = runsOf([...new Set(commands)]).filter(
      ({ runs, error }) => error !== undefined || runs.flat().includes("PWNED"),
    );
    expect(wrong).toEqual([]);
  });
});
