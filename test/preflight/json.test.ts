import Ajv2020 from "ajv/dist/2020";
import { preflightJson } from "../../commands/preflight/json";
import { readText } from "../architecture/sources";
import { closed } from "../support/closedSchema";
import { cases } from "./cases";
import { rowsOf, withAzure } from "./support";

/** The JSON of preflight is as the published schema says, whatever Azure answers. */

withAzure();

const published = JSON.parse(readText("schema/preflight.schema.json")) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true });
const exactly = ajv.compile(closed(published));
const matches = ajv.compile(published);

it.each(cases)("$name", async ({ change, more }) => {
  const report = JSON.parse(preflightJson("dev", await rowsOf(change, more))) as object;
  expect([exactly(report), exactly.errors]).toEqual([true, null]);
});

it("a changed report is refused", () => {
  const row = { state: "ok", check: "subscription", found: "it is there", remedy: [] };
  const right = { version: 1, stack: "dev", rows: [row] };
  expect([right, { ...right, rows: [] }].map((one) => matches(one))).toEqual([true, true]);
  const wrong = [
    { ...right, version: 2 },
    { version: 1, rows: [row] },
    { ...right, rows: [{ ...row, state: "fine" }] },
    { ...right, rows: [{ ...row, remedy: "none" }] },
  ];
  expect(wrong.map((one) => matches(one))).toEqual([false, false, false, false]);
  expect(exactly({ ...right, rows: [{ ...row, level: 1 }] })).toBe(false);
});
