import Ajv2020 from "ajv/dist/2020";
import fc from "fast-check";
import { headline } from "../../../plan/reports/headline";
import { parseReport, reportJson } from "../../../plan/reports/json";
import { markdownReport } from "../../../plan/reports/markdown/markdownReport";
import { readText } from "../../architecture/sources";
import { planOf } from "../../support/plans";
import { anyReports, example, reportOf } from "./comparisons";

const written = (reports: Parameters<typeof reportJson>[0]): string => JSON.stringify(reportJson(reports));

describe("the JSON report", () => {
  it("keeps a whole comparison: after reading it back, it renders the same", () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        const back = parseReport(written(reports));
        const headlines = reports.map((report) => ({ headline: headline(report), ...report }));
        expect(back).toEqual(JSON.parse(JSON.stringify(headlines)));
        expect(markdownReport(back)).toBe(markdownReport(reports));
      }),
      { numRuns: 50 },
    );
  });

  it("is as schema/plan.schema.json says, and another text is not", async () => {
    const matches = new Ajv2020({ strict: false }).compile(
      JSON.parse(readText("schema/plan.schema.json")) as object,
    );
    fc.assert(
      fc.property(anyReports, (reports) => {
        const report = JSON.parse(written(reports)) as object;
        expect([matches(report), matches.errors]).toEqual([true, null]);
      }),
      { numRuns: 50 },
    );
    const plan = await planOf("existing");
    expect(matches(JSON.parse(written([{ stack: "existing", plan }])))).toBe(true);
    expect([{ version: 3, stacks: [] }, { version: 2, stacks: [{}] }, {}].map((one) => matches(one))).toEqual(
      [false, false, false],
    );
  });

  it("has the plan's resources, outputs and cluster, and no secret", async () => {
    const plan = await planOf("existing");
    const text = written([{ stack: "existing", plan }]);
    const { version, stacks } = JSON.parse(text) as {
      version: number;
      stacks: { stack: string; plan: { resources: unknown[]; cluster: unknown; outputs: unknown } }[];
    };
    expect(version).toBe(2);
    expect(stacks[0]!.plan.cluster).toEqual(plan.cluster);
    expect(stacks[0]!.plan.resources).toHaveLength(plan.update.resources.length);
    expect(stacks[0]!.plan.outputs).toMatchObject({ mtu: 1400, managementKubeconfig: "[secret]" });
    expect(parseReport(text)).toEqual([
      { stack: "existing", headline: headline({ stack: "existing", plan }) },
    ]);
  });

  it("has the cluster of the base after a comparison", async () => {
    const { cluster } = await planOf("existing");
    const { stacks } = JSON.parse(written([{ stack: "existing", base: cluster }])) as { stacks: unknown };
    expect(stacks).toEqual([{ stack: "existing", headline: "planned", base: { cluster } }]);
  });

  it.each([
    ["no JSON at all, PLANTED", "The report is not JSON."],
    ["[]", "The report is not one: : Invalid input: expected object, received array"],
    ['{"version":3,"stacks":[]}', "The report is not one: version: Invalid input: expected 2"],
    [
      written(reportOf({ ...example, impacts: [{ ...example.impacts[0]!, severity: "fine" as "rolls" }] })),
      'The report is not one: stacks.0.comparison.impacts.0.severity: Invalid option: expected one of "refused"|"destroys"|"replaces"|"rolls"|"changes"|"metadata"',
    ],
    [
      written(reportOf({ ...example, html: "<script>" } as typeof example)),
      'The report is not one: stacks.0.comparison: Unrecognized key: "html"',
    ],
  ])("of a stranger is refused when it is not one: %.30s", (text, message) => {
    expect(() => parseReport(text)).toThrow(new Error(message));
  });
});
