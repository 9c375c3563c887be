import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { markdownReport } from "../../../plan/reports/markdown/markdownReport";
import { formatComparisons } from "../../../plan/reports/text";
import { anyReports, example, forged, reportOf, unchanged, withForgedLines } from "./comparisons";

const style = { color: false, width: 100, verbose: false };

describe("the report for a terminal", () => {
  it("counts as Pulumi does: another option alone is no change of a resource, but one of a component is", () => {
    const protect = { properties: [], options: [{ path: "protect", before: true, after: false }] };
    const change = (type: string) =>
      ({ kind: "update", urn: `urn:pulumi:s::p::${type}::x`, type, name: "x", ...protect }) as const;
    const changes = [change("kubernetes:core/v1:Namespace"), change("capz-windows:index:VirtualNetwork")];
    const [, counts] = formatComparisons(reportOf({ ...unchanged, unchanged: 51, changes }), style).split(
      "\n",
    );
    expect(counts).toBe(
      "capz-windows against main (1a2b3c4); resources: 1 changed, 1 only in an option of Pulumi, 51 unchanged",
    );
  });

  it.each([false, true])("has no line that a value begins (--verbose: %s)", (verbose) => {
    const comparison = withForgedLines({ ...example, fixedWarnings: ["gone"] });
    const finding = withForgedLines({ id: "no-example", title: "a", message: "b", path: "c", file: "d" });
    const levels = ["error", "warning"] as const;
    const findings = levels.map((level) => ({ ...finding, level, line: 5 }));
    const text = formatComparisons([{ stack: "dev", comparison, findings, newFindings: findings }], {
      ...style,
      verbose,
    });
    expect(text).toContain(`⏎${forged}`);
    expect(text.split("\n").filter((line) => line.trim().startsWith(forged))).toEqual([]);
  });

  it("has impacts first, then properties", () => {
    const whole = { ...style, verbose: true };
    expect(formatComparisons([...reportOf(unchanged), ...reportOf(example)], whole)).toMatchInlineSnapshot(`
     "dev: no change
     capz-windows against main (1a2b3c4); resources: none changed, 53 unchanged

     dev: destroys: The VNET network-vnet is deleted and made again; 1 new warning
     capz-windows against main (1a2b3c4); resources: 1 replaced, 1 changed, 1 created, 50 unchanged

     What follows
       destroys  The VNET network-vnet is deleted and made again
                 why: its location cannot change
                 instead: make a new stack beside it
                 see: https://learn.microsoft.com/azure
       rolls     Windows pool win1 rolls: 2 nodes, surge 1
                 why: the image is part of the machines

     Changes
       -/+ network-vnet  azure-native:network:VirtualNetwork
           ~ location: westeurope -> northeurope
           - protect: true
       ~   calico-part-1  kubernetes:core/v1:ConfigMap  (was calico-part-0)
           data["calico.yaml"]
             @@ -1 +1 @@
             -mtu: 1350
             +mtu: 1400
       +   x  kubernetes:core/v1:ConfigMap

     User data
           win1/user-data.txt
             @@ -1 +1 @@
             -a
             +b

     Outputs
           ~ mtu: 1400 -> 1350

     New warnings
       ! controlPlane.replicas: one machine

     Warnings that are gone
       azure.subscriptionId: the example's
     "
    `);
  });

  it("says why another version of the program changes anything", () => {
    const authored = {
      config: [{ path: "clusterName", before: "a", after: "b" }],
      program: { before: "0.1.0", after: "0.2.0" },
    };
    expect(formatComparisons(reportOf({ ...example, authored }), style)).toContain(`
Changed in the stack
      ~ version of the program: 0.1.0 -> 0.2.0
        why: CHANGELOG.md, "Rolls machines"
      ~ clusterName: a -> b

What follows
`);
    expect(markdownReport(reportOf({ ...example, authored }))).toContain(
      '- `version of the program`: `0.1.0` → `0.2.0` (why: CHANGELOG.md, "Rolls machines")\n',
    );
  });

  it("has each part of a large value of the stack file, and a small value in one line", () => {
    const large = {
      access: { cidrs: ["10.0.0.0/8"] },
      list: [{ a: "b".repeat(99) }, "c"],
      "x.y": { repository: "other.example/k8s", more: "d".repeat(90) },
    };
    const config = [
      { path: "new", after: large },
      { path: "gone", before: large.list },
      { path: "pool", after: { vmSize: "Standard_D2s_v5", replicas: 3 } },
    ];
    expect(formatComparisons(reportOf({ ...example, authored: { config } }), style)).toContain(`
Changed in the stack
      + new.access: {"cidrs":["10.0.0.0/8"]}
      + new.list[0].a: ${"b".repeat(99)}
      + new.list[1]: c
      + new["x.y"].repository: other.example/k8s
      + new["x.y"].more: ${"d".repeat(90)}
      - gone[0].a: ${"b".repeat(99)}
      - gone[1]: c
      + pool: {"vmSize":"Standard_D2s_v5","replicas":3}
`);
  });

  it("has texts of resources, user data and outputs only if everything is requested", () => {
    const lines = Array.from({ length: 124 }, (_, index) => `-line ${index}`);
    const reports = reportOf({
      ...unchanged,
      nodes: [{ path: "win1/user-data.txt", before: "", text: ["@@ -1,124 +1,0 @@", ...lines] }],
    });
    const text = formatComparisons(reports, style);
    expect(text).toMatch(/\n\n--verbose shows user data in 1 file and the sources\.\n$/);
    expect(text).not.toContain("-line");
    const whole = formatComparisons(reports, { ...style, verbose: true });
    expect(whole).toContain(
      "\nUser data\n      win1/user-data.txt\n        @@ -1,124 +1,0 @@\n        -line 0\n",
    );
    expect(whole).toContain("-line 123\n");
    expect(whole).not.toContain("--verbose");
  });

  it("folds long texts of the stack file", () => {
    const lines = Array.from({ length: 124 }, (_, index) => `-line ${index}`);
    const authored = {
      config: [{ path: "files", before: "", after: "", text: ["@@ -1,124 +1,0 @@", ...lines] }],
    };
    const text = formatComparisons(reportOf({ ...example, authored }), style);
    expect(text).toContain("-line 18\n        … 105 more lines (--verbose shows them)\n");
  });

  it("has an equal reason once, no source, and counts what nothing notices", () => {
    const [, rolls] = example.impacts;
    const quiet = { ...rolls!, severity: "metadata" as const, nodes: 0 };
    const impacts = [
      { ...rolls!, source: "https://learn.microsoft.com/azure" },
      { ...rolls!, what: "Windows pool win2 rolls: 4 nodes, surge 1" },
      { ...rolls!, what: "Windows pool win3 rolls: 4 nodes, surge 1", why: "its VM size changes" },
      { ...quiet, what: "A tag changes" },
      { ...quiet, what: "A label changes", why: "another one" },
    ];
    const text = formatComparisons(reportOf({ ...example, impacts }), style);
    expect(text.slice(text.indexOf("What follows"), text.indexOf("\n\nNew"))).toBe(`What follows
  rolls     Windows pool win1 rolls: 2 nodes, surge 1
            Windows pool win2 rolls: 4 nodes, surge 1
            why: the image is part of the machines
  rolls     Windows pool win3 rolls: 4 nodes, surge 1
            why: its VM size changes
  metadata  2 more, which nothing that runs notices`);
    const whole = formatComparisons(reportOf({ ...example, impacts }), { ...style, verbose: true });
    expect(whole).toContain("A tag changes");
    expect(whole).toContain("see: https://learn.microsoft.com/azure");
  });

  it("of a refused change has the refusal, and no changes that will not happen", () => {
    const [refused, rolls] = example.impacts;
    const comparison = {
      ...example,
      impacts: [{ ...refused!, severity: "refused" as const }, rolls!],
    };
    expect(formatComparisons(reportOf(comparison), style)).toMatchInlineSnapshot(`
     "dev: refused: The VNET network-vnet is deleted and made again; 1 new warning
     capz-windows against main (1a2b3c4); resources: 1 replaced, 1 changed, 1 created, 50 unchanged

     What follows
       refused   The VNET network-vnet is deleted and made again
                 why: its location cannot change
                 instead: make a new stack beside it

     \`pulumi up\` stops at what is refused; the rest of the change is left out here. --verbose shows it.

     New warnings
       ! controlPlane.replicas: one machine

     Warnings that are gone
       azure.subscriptionId: the example's

     --verbose shows 3 resources, user data in 1 file, 1 output and the sources.
     "
    `);
    const whole = formatComparisons(reportOf(comparison), { ...style, verbose: true });
    expect(whole).toContain("Windows pool win1 rolls");
    expect(whole).not.toContain("--verbose");
  });

  it("of a stack file that is gone does not say that Pulumi deletes its resources", () => {
    const [destroys] = example.impacts;
    const removed = { ...example, status: "removed" as const, unchanged: 0, impacts: [destroys!] };
    const text = formatComparisons(reportOf(removed), style);
    expect(text).toContain(
      "\ncapz-windows against main (1a2b3c4); resources: nothing is deleted, 3 stay as they are\n",
    );
    expect(text).not.toMatch(/Changes|network-vnet {2}azure/);
    expect(formatComparisons(reportOf(removed), { ...style, verbose: true })).toContain(
      "network-vnet  azure",
    );
  });

  it("breaks its own sentences to the width, but no values", () => {
    const text = formatComparisons(reportOf(example), { ...style, width: 60 });
    const sentences = text.slice(text.indexOf("What follows"), text.indexOf("\n--verbose"));
    expect(sentences.split("\n").filter((line) => line.length > 60 && !line.includes("https:"))).toEqual([]);
    expect(text).toMatch(/shows 3 resources/);
  });

  it("with colors is the same text", () => {
    const reports = reportOf(example);
    const colored = formatComparisons(reports, { ...style, color: true });
    expect(colored).toContain("\u001b[");
    expect(stripVTControlCharacters(colored)).toBe(formatComparisons(reports, style));
  });

  it("passes no control characters of a value to the terminal", () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        expect(formatComparisons(reports, style)).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
        );
      }),
      { numRuns: 50 },
    );
  });
});

it("says once why a stack cannot be planned", () => {
  const failed = {
    ...unchanged,
    status: "failed" as const,
    failure: "Pulumi.a.yaml: 1 problem\n\n  mtu",
  };
  expect(formatComparisons([{ stack: "a", comparison: failed }], style)).toBe(
    `${unchanged.stack}: could not be planned\n\n  Pulumi.a.yaml: 1 problem\n  \n    mtu\n`,
  );
});
