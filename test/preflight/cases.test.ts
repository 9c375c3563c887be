import Ajv2020 from "ajv/dist/2020";
import { preflightJson } from "../../commands/preflight/json";
import { exitCode } from "../../commands/preflight/preflight";
import type { Row } from "../../commands/preflight/row";
import { readText } from "../architecture/sources";
import { closed } from "../support/closedSchema";
import { type Case, cases } from "./cases";
import { rowsOf, withAzure, worst } from "./support";

/** What stands in the way of a stack, by what Azure answers; its JSON is as the published schema says. */

withAzure();

const published = JSON.parse(readText("schema/preflight.schema.json")) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true });
const exactly = ajv.compile(closed(published));
const matches = ajv.compile(published);

async function rowsOfCase({ change, more }: Case): Promise<Row[]> {
  const rows = await rowsOf(change, more);
  const report = JSON.parse(preflightJson("dev", rows)) as object;
  expect([exactly(report), exactly.errors]).toEqual([true, null]);
  return rows;
}

it.each(cases.filter(({ found }) => found?.source === "nothing"))("is nothing: $name", async (one) => {
  expect(worst(await rowsOfCase(one))).toEqual([]);
});

it.each(cases.filter(({ found }) => found !== undefined && found.source !== "nothing"))(
  "is reported with its remedy: $name",
  async (one) => {
    const { found, remedy } = one;
    const rows = await rowsOfCase(one);
    const row = rows.find(({ state, check, found: text }) => found!.test(`${state} ${check}: ${text}`));
    expect(row === undefined ? worst(rows) : "found").toBe("found");
    expect(row?.remedy.some((line) => remedy!.test(line)) ?? row?.remedy).toBe(true);
    expect(rows[0]?.state).not.toBe("ok");
    expect(exitCode(rows)).toBe(row?.state === "error" ? 3 : 2);
  },
);

it.each(cases.filter(({ found }) => found === undefined))("is said in these rows: $name", async (one) => {
  const { rows, exact } = one;
  const said = (await rowsOfCase(one))
    .filter(({ state, check }) => rows.test(`${state} ${check}`))
    .map(({ state, check, found, remedy }, index) => [
      `${state} ${check}: ${found}`,
      ...((exact[index]?.length ?? 2) > 1 ? remedy : []),
    ]);
  expect(said).toEqual(exact);
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
