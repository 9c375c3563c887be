import { exitCode } from "../../commands/preflight/preflight";
import { cases } from "./cases";
import { rowsOf, withAzure, worst } from "./support";

/** What stands in the way of a stack, by what Azure answers. */

withAzure();

it.each(cases.filter(({ found }) => found?.source === "nothing"))(
  "is nothing: $name",
  async ({ change, more }) => {
    expect(worst(await rowsOf(change, more))).toEqual([]);
  },
);

it.each(cases.filter(({ found }) => found !== undefined && found.source !== "nothing"))(
  "is reported with its remedy: $name",
  async ({ change, more, found, remedy }) => {
    const rows = await rowsOf(change, more);
    const row = rows.find(({ state, check, found: text }) => found!.test(`${state} ${check}: ${text}`));
    expect(row === undefined ? worst(rows) : "found").toBe("found");
    expect(row?.remedy.some((line) => remedy!.test(line)) ?? row?.remedy).toBe(true);
    expect(rows[0]?.state).not.toBe("ok");
    expect(exitCode(rows)).toBe(row?.state === "error" ? 3 : 2);
  },
);

it.each(cases.filter(({ found }) => found === undefined))(
  "is said in these rows: $name",
  async ({ change, more, rows, exact }) => {
    const said = (await rowsOf(change, more))
      .filter(({ state, check }) => rows.test(`${state} ${check}`))
      .map(({ state, check, found, remedy }, index) => [
        `${state} ${check}: ${found}`,
        ...((exact[index]?.length ?? 2) > 1 ? remedy : []),
      ]);
    expect(said).toEqual(exact);
  },
);
