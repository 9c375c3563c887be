import { parse } from "yaml";
import { configDocument } from "../../config/configDocument";
import { parseConfigKeys } from "./keys";
import { sentenceOf } from "../../doctor/remedies";
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

const objectVars = { name: "web", kind: "Pod", cluster: "sick", namespace: "sick", podNamespace: "shop" };

it.each(allRules.map(({ id, cause }) => [id, cause] as const))(
  "%s: its sentence is one, even when no value was found",
  (_, cause) => {
    const sentence = sentenceOf(cause, objectVars);
    expect(sentence).not.toMatch(
      /[{}]|not named|undefined| {2}| [.,;:)](?:\s|$)|\( |\b(\w+) the \1\b|\bthe the\b|^[a-z]+ing /,
    );
  },
);

it("a name that was not found is left out after its noun, and otherwise replaced by the noun", () => {
  expect(sentenceOf("{node} has the disk {disk}, and {registry} ({code}) of {newNode}: {why}.", {})).toBe(
    "The node has the disk, and the registry of the new node.",
  );
  expect(sentenceOf("{node} has the disk {disk}: {why}.", { node: "win1", disk: "d", why: "late" })).toBe(
    "win1 has the disk d: late.",
  );
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
