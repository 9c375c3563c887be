import { parse } from "yaml";
import { configDocument } from "../../config/configDocument";
import { parseConfigKeys } from "./keys";
import { allRules, families } from "../../doctor/rules/allRules";

/** Rules are data, so their properties are checked like data. */

const special = ["*", "linux-pool", "refused-add-on"];
const known = new Set([...allRules.map(({ id }) => id), ...families.map(({ name }) => name), ...special]);

it("every ID is unique, and every name that a rule follows exists", () => {
  const ids = allRules.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(allRules.flatMap(({ follows = [] }) => follows).filter((name) => !known.has(name))).toEqual([]);
});

it("every rule has texts, a remedy and a source", () => {
  const bare = allRules.filter(
    ({ symptom, cause, proof, remedy, source }) =>
      [symptom, cause, proof, source].some((text) => text.length < 5) || remedy.length === 0,
  );
  expect(bare.map(({ id }) => id)).toEqual([]);
  expect(allRules.filter(({ cause }) => !/[.}]$/.test(cause)).map(({ id }) => id)).toEqual([]);
});

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
