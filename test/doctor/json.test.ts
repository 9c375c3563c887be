import Ajv2020 from "ajv/dist/2020";
import { join } from "node:path";
import { readdirSync } from "node:fs";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import { diagnose } from "capz-windows-doctor/diagnose";
import { formatJson } from "capz-windows-doctor/report/json";
import { readText } from "../architecture/sources";
import { closed } from "../support/closedSchema";
import { diagnosed } from "../../packages/doctor/test/diagnosed";
import { patient, recordedDir } from "../../packages/doctor/test/patient";
import { scenes } from "../../packages/doctor/test/scenes";

/** The doctor's JSON is as the published schema says, for every cluster and fault that is here. */

const published = JSON.parse(readText("schema/doctor.schema.json")) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true });
/** With nothing that the schema does not name: an output has no field that is not described. */
const exactly = ajv.compile(closed(published));
const matches = ajv.compile(published);

type Report = Record<string, unknown> & {
  findings: (Record<string, unknown> & { proofs: object[]; consequences: object[] })[];
};
const reportOf = (snapshot: Parameters<typeof diagnose>[0]): Report =>
  JSON.parse(formatJson(diagnose(snapshot))) as Report;

it("of each recorded cluster", () => {
  for (const file of readdirSync(recordedDir).filter((name) => name.endsWith(".json"))) {
    const report = reportOf(readRecorded(join(recordedDir, file)));
    expect([file, exactly(report), exactly.errors]).toEqual([file, true, null]);
  }
});

it("of each fault, with all its fields", () => {
  const seen = new Set<string>();
  for (const scene of scenes) {
    const report = JSON.parse(formatJson(diagnosed(scene).diagnosis)) as Report;
    expect([scene.name, exactly(report), exactly.errors]).toEqual([scene.name, true, null]);
    Object.keys(report).forEach((key) => seen.add(key));
    report.findings.forEach((finding) => {
      [finding, ...finding.proofs, ...finding.consequences].forEach((one) => {
        Object.keys(one).forEach((key) => seen.add(key));
      });
    });
  }
  // What the schema names is written by one of them, except for what only a stack has.
  const named = [
    ...JSON.stringify(published).matchAll(/"(\w+)":\{(?:"description|"type|"\$ref|"anyOf|"enum|"const)/g),
  ]
    .map(([, name = ""]) => name)
    .filter((name) => !["items", "name", "namespace", "detail", "state", "stack"].includes(name));
  expect([...new Set(named)].filter((name) => !seen.has(name))).toEqual([]);
});

it.each([
  ["another version", (report: Report) => ({ ...report, version: 2 })],
  ["a field less", ({ findings, ...report }: Report) => ({ ...report, causes: findings })],
  [
    "another severity",
    (report: Report) => ({ ...report, findings: [{ ...report.findings[0], severity: "bad" }] }),
  ],
  [
    "a remedy that is a text",
    (report: Report) => ({ ...report, findings: [{ ...report.findings[0], remedy: "x" }] }),
  ],
  ["another scope", (report: Report) => ({ ...report, findings: [{ ...report.findings[0], scope: "all" }] })],
])("a changed report is refused: %s", (_, change) => {
  const p = patient();
  scenes[0]!.make(p);
  const report = reportOf(p.snapshot());
  expect(matches(report)).toBe(true);
  expect(matches(change(report))).toBe(false);
});

it("a field that is not described is found", () => {
  expect(exactly({ ...reportOf(patient().snapshot()), news: 1 })).toBe(false);
});
