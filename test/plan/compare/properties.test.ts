import fc from "fast-check";
import { differences } from "../../../plan/compare/properties";
import { withoutPaths } from "../../../plan/compare/paths";
import { listRules } from "../../../plan/compare/lists";

const shuffled = <T>(list: readonly T[]) => fc.shuffledSubarray([...list], { minLength: list.length });

const rule = (name: string, priority: number) => ({ name, priority });
const taint = (key: string, effect: string, value?: string) => ({ key, effect, value });

const rules = listRules({
  zones: "set",
  securityRules: ["name"],
  tolerations: ["key"],
  taints: ["key", "effect"],
  "pools.*.zones": "set",
  "subnets[].ranges": "set",
});

describe("what differs between two values", () => {
  it.each([
    ["a value", { a: 1 }, { a: 2 }, [{ path: "a", before: 1, after: 2 }]],
    ["something new", {}, { a: { b: [] } }, [{ path: "a", after: { b: [] } }]],
    ["something gone", { a: "x" }, {}, [{ path: "a", before: "x" }]],
    ["a type", { a: "1" }, { a: 1 }, [{ path: "a", before: "1", after: 1 }]],
    [
      "keys that are no names",
      { data: { "calico.yaml": "a" } },
      { data: { "calico.yaml": "b" } },
      [{ path: 'data["calico.yaml"]', before: "a", after: "b" }],
    ],
    [
      "one of named elements, whatever their order",
      { securityRules: [rule("a", 1), rule("b", 2)] },
      { securityRules: [rule("b", 3), rule("a", 1)] },
      [{ path: "securityRules[b].priority", before: 2, after: 3 }],
    ],
    [
      "named elements that come and go",
      { subnets: [{ name: "a" }] },
      { subnets: [{ name: "b" }] },
      [
        { path: "subnets[a]", before: { name: "a" } },
        { path: "subnets[b]", after: { name: "b" } },
      ],
    ],
    [
      "a set",
      { zones: ["1", "2"] },
      { zones: ["3", "1"] },
      [{ path: "zones", before: ["1", "2"], after: ["3", "1"] }],
    ],
    [
      "the value of an element that its name alone tells apart",
      { taints: [{ key: "a", effect: "NoSchedule" }, { key: "b" }] },
      { taints: [{ key: "b" }, { key: "a", effect: "NoExecute" }] },
      [{ path: "taints[a].effect", before: "NoSchedule", after: "NoExecute" }],
    ],
    [
      "an element that takes two fields to tell apart",
      { taints: [taint("a", "NoSchedule", "1"), taint("a", "NoExecute")] },
      { taints: [taint("a", "NoExecute"), taint("a", "NoSchedule", "2")] },
      [{ path: "taints[a,NoSchedule].value", before: "1", after: "2" }],
    ],
    [
      "the order of a list of which nothing is known",
      { ranges: ["a", "b"] },
      { ranges: ["b", "a"] },
      [{ path: "ranges", before: ["a", "b"], after: ["b", "a"] }],
    ],
    [
      "the order of a list that has the name of a set elsewhere",
      { other: { zones: ["1", "2"] } },
      { other: { zones: ["2", "1"] } },
      [{ path: "other.zones", before: ["1", "2"], after: ["2", "1"] }],
    ],
    [
      "commands, whose order counts",
      { preKubeadmCommands: ["a", "b"] },
      { preKubeadmCommands: ["b", "a"] },
      [{ path: "preKubeadmCommands", before: ["a", "b"], after: ["b", "a"] }],
    ],
    [
      "the order of files, which are written one after another",
      { files: [{ path: "/a" }, { path: "/b" }] },
      { files: [{ path: "/b" }, { path: "/a" }] },
      [{ path: "files(order)", before: ["/a", "/b"], after: ["/b", "/a"] }],
    ],
    [
      "elements without names, by position",
      { diskSetup: [{ label: "a" }] },
      { diskSetup: [{ label: "a" }, { label: "b" }] },
      [{ path: "diskSetup[1]", after: { label: "b" } }],
    ],
  ])("%s", (_, before, after, expected) => {
    expect(differences(before, after, rules)).toEqual(expected);
  });

  it.each([
    ["the order of fields", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["the order of a set", { zones: ["1", "2"] }, { zones: ["2", "1"] }],
    [
      "the order of a set in an element of an ordered list",
      { subnets: [{ name: "a", ranges: ["1", "2"] }] },
      { subnets: [{ name: "a", ranges: ["2", "1"] }] },
    ],
    [
      "the order of a set below a key of a map",
      { pools: { "a.b": { zones: ["1", "2"] } } },
      { pools: { "a.b": { zones: ["2", "1"] } } },
    ],
    [
      "the order of a map whose elements take all of its keys",
      { taints: [taint("a", "x"), taint("a", "y")] },
      { taints: [taint("a", "y"), taint("a", "x")] },
    ],
    ["an absent field and null", { a: null }, {}],
    [
      "the order of a map whose elements lack its key",
      { tolerations: [{ a: 1 }, { b: 2 }] },
      { tolerations: [{ b: 2 }, { a: 1 }] },
    ],
  ])("takes no notice of %s", (_, before, after) => {
    expect(differences(before, after, rules)).toEqual([]);
  });

  it("shows long texts line by line, and the content of base64", () => {
    const script = (line: string) => `a\nb\n${line}\nc\n`;
    const lines = ["@@ -1,4 +1,4 @@", " a", " b", "-old", "+new", " c"];
    expect(differences({ s: script("old") }, { s: script("new") })[0]?.text).toEqual(lines);
    const file = (text: string) => ({
      files: [{ path: "/x", encoding: "base64", content: Buffer.from(script(text)).toString("base64") }],
    });
    expect(differences(file("old"), file("new"))).toMatchObject([{ path: "files[/x].content", text: lines }]);
  });

  it("is nothing for equal values, in whatever order of fields and sets", () => {
    const named = fc.uniqueArray(fc.record({ name: fc.string(), priority: fc.nat() }), {
      selector: ({ name }) => name,
    });
    fc.assert(
      fc.property(
        named.chain((list) => fc.tuple(fc.constant(list), shuffled(list))),
        fc.array(fc.string()).chain((list) => fc.tuple(fc.constant(list), shuffled(list))),
        fc.dictionary(fc.string(), fc.jsonValue()),
        ([securityRules, mixed], [zones, mixedZones], rest) => {
          const reversed = Object.fromEntries(Object.entries(rest).reverse());
          const before = { rest, securityRules, zones };
          const other = { zones: mixedZones, securityRules: mixed, rest: reversed };
          expect(differences(before, other, rules)).toEqual([]);
        },
      ),
    );
  });

  it("is the same in both directions, and not empty if anything differs", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const there = differences({ a }, { a: b }, rules);
        const back = differences({ a: b }, { a }, rules);
        expect(back.map(({ path, before, after }) => ({ path, before: after, after: before }))).toEqual(
          there.map(({ path, before, after }) => ({ path, before, after })),
        );
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, key) => {
        const changed = { ...object, [key]: { planted: true } };
        expect(differences(object, changed, rules).length).toBeGreaterThan(0);
      }),
    );
  });
});

const pools = [
  { name: "x", count: 1 },
  { name: "y", count: 2 },
];

it.each([
  ["agentPoolProfiles[0].count", { agentPoolProfiles: [{ name: "x" }, pools[1]] }],
  ["agentPoolProfiles[*].count", { agentPoolProfiles: [{ name: "x" }, { name: "y" }] }],
  ["agentPoolProfiles", {}],
  ["nothing.here", { agentPoolProfiles: pools }],
])("ignoreChanges %s takes its part away", (path, left) => {
  expect(withoutPaths({ agentPoolProfiles: pools }, [path])).toEqual(left);
});
