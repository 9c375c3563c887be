import { weightOf } from "capz-windows-kit/io/json";

it("the weight of what is kept grows with its values and its texts, however deep they are", () => {
  expect(weightOf({ a: [1, "x".repeat(500)], b: null })).toBe(10);
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth += 1) {
    deep = [deep];
  }
  expect(weightOf(deep)).toBe(100_001);
});
