import { existsSync } from "node:fs";
import { parse } from "yaml";
import { allRules } from "capz-windows-doctor/rules/allRules";
import { configDocument } from "../../config/configDocument";
import { parseConfigKeys } from "./keys";

/** What the doctor's rules name of this program is there. */

/** Lines `capz-windows:KEY: {...}` with example values instead of placeholders. */
const lines = allRules.flatMap(({ id, remedy }) =>
  remedy
    .filter((line) => line.startsWith("capz-windows:"))
    .map((line) => [id, line.replace(/\{(\w+)\}:/g, "$1:").replace(/ {3}#.*$/, "")] as const),
);

it.each(lines)("%s: %s is YAML with keys that the stack file has", (_, line) => {
  const value = parse(line.replace(/^capz-windows:/, "").replace(/\{(\w+)\}/g, "$1")) as Record<
    string,
    unknown
  >;
  expect(parseConfigKeys(configDocument(), value)).toEqual([]);
});

it("every document that a rule names exists", () => {
  // Sources also name documents of other projects.
  const names = allRules.flatMap(({ id, cause, remedy }) =>
    [cause, ...remedy].flatMap((text) =>
      [...text.matchAll(/(?<![\w/.-])docs\/[\w-]+\.md/g)].map(([name]) => `${name} of ${id}`),
    ),
  );
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => !existsSync(name.split(" ")[0] ?? ""))).toEqual([]);
});
