import { keysOf } from "../../../plan/compare/lists";

const a = { key: "a", effect: "x" };
const b = { key: "b", effect: "x" };

describe("the keys of two lists", () => {
  it("are the fewest fields that identify the elements of each list", () => {
    expect(keysOf([a, b], [b], ["key", "effect"])).toEqual([["a", "b"], ["b"]]);
    expect(keysOf([a, { ...a, effect: "y" }], [a], ["key", "effect"])).toEqual([["a,x", "a,y"], ["a,x"]]);
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ["before", [a, a], [a]],
    ["after", [a], [a, a]],
  ])("are none if two elements are equal %s the change", (_, before, after) => {
    expect(keysOf(before, after, ["key", "effect"])).toBeUndefined();
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ["before", [a, { effect: "x" }], [a]],
    ["after", [a], [a, { effect: "x" }]],
    ["before, as an object", [{ key: {} }], [a]],
  ])("are none if an element has no key %s the change", (_, before, after) => {
    expect(keysOf(before, after, ["key"])).toBeUndefined();
  });

  it("are none if an element has only a part of the key", () => {
    const twice = [a, { key: "a" }];
    expect(keysOf(twice, [a], ["key", "effect"])).toBeUndefined();
  });
});
