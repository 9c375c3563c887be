import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePlan } from "capz-windows-contract";

it("the face has at most 20 names, which the README lists", () => {
  const [index, readme] = ["index.ts", "README.md"].map((file) =>
    readFileSync(join(__dirname, "..", file), "utf8"),
  );
  const names = [...(index ?? "").matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim()),
  );
  const listed = [...(readme ?? "").matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, cell = ""]) =>
    cell.split(", ").map((name) => name.replaceAll("`", "")),
  );
  expect(names.length).toBeLessThanOrEqual(20);
  expect(listed.sort()).toEqual(names.sort());
});

const content = { version: 2, project: "p", stack: "s", resources: [], outputs: {}, warnings: [] };

const resource = { urn: "u", type: "t", name: "n", custom: true, inputs: {}, options: {}, dependencies: [] };

const read = (value: unknown): unknown => parsePlan(JSON.stringify(value));

it("a plan of version 1 has what its release did not write", () => {
  const older = { ...resource, dependencies: undefined };
  expect(read({ version: 1, stack: "s", resources: [older] })).toEqual({
    plan: { ...content, version: 1, project: "", resources: [resource] },
  });
});

it("leaves out what the schema does not name", () => {
  expect(read({ ...content, resources: [{ ...resource, id: "i" }], more: 1 })).toEqual({
    plan: { ...content, resources: [resource] },
  });
});

const hint = "Name a plan.json that `npm run plan` wrote, or a git ref.";

it.each<readonly [text: string, problem: string]>([
  ["{", `is not valid JSON. ${hint}`],
  ["null", `is not a plan. ${hint}`],
  ["[]", `is not a plan. ${hint}`],
  ['{"version":2}', `is not a plan. ${hint}`],
  [
    '{"version":3,"resources":[]}',
    "has version 3; this program reads 1 and 2. Plan both sides with the same release.",
  ],
  [
    '{"resources":[]}',
    "has version undefined; this program reads 1 and 2. Plan both sides with the same release.",
  ],
])("refuses %s", (text, problem) => {
  expect(parsePlan(text)).toEqual({ problem });
});

const levels = (count: number): unknown => JSON.parse(`${'{"a":'.repeat(count)}1${"}".repeat(count)}`);

it.each<readonly [what: object, damage: string]>([
  [{ stack: 7 }, "stack: Invalid input: expected string, received number"],
  [
    { resources: [{ ...resource, custom: "yes" }] },
    "resources.0.custom: Invalid input: expected boolean, received string",
  ],
  [{ state: { backend: [] } }, "state.backend: Invalid input: expected string, received array"],
  [{ others: { clients: "a" } }, "others.clients: Invalid input: expected array, received string"],
  [
    { nodes: { ["n".repeat(300)]: 1 } },
    `nodes.${"n".repeat(194)}: Invalid input: expected string, received number`,
  ],
  [{ outputs: { deep: levels(200) } }, "more than 200 mappings or lists are inside one another"],
  [{ outputs: { long: "a".repeat(4_000_001) } }, "a text has more than 4,000,000 characters"],
])("refuses a damaged plan, case %#", (more, damage) => {
  expect(read({ ...content, ...more })).toEqual({ problem: `is damaged: ${damage}. Plan it again.` });
});

it("reads what is just small enough", () => {
  const outputs = { deep: levels(198), long: "a".repeat(4_000_000) };
  expect(read({ ...content, outputs })).toEqual({ plan: { ...content, outputs } });
});
