import fc from "fast-check";
import { rangesText } from "../../../plan/reports/layout";

const cidr = fc
  .tuple(fc.nat(255), fc.nat(255), fc.integer({ min: 8, max: 32 }))
  .map(([a, b, prefix]) => `10.${a}.${b}.0/${prefix}`);
const prefixesIn = (text: string): number[] =>
  [...text.matchAll(/\/(\d+)/g)].map(([, prefix]) => Number(prefix));

it("few address ranges are shown in their order", () => {
  expect(rangesText([])).toBe("");
  expect(rangesText(["203.0.113.0/24", "198.51.100.7"])).toBe("203.0.113.0/24, 198.51.100.7");
});

it("of many, no range that is left out is wider than one that is shown", () => {
  fc.assert(
    fc.property(fc.array(cidr, { minLength: 13, maxLength: 400 }), (cidrs) => {
      const [shown = "", rest] = rangesText(cidrs).split(" and ");
      expect(rest).toBe(`${cidrs.length - 12} more, none of them wider`);
      const widest = cidrs.flatMap(prefixesIn).sort((a, b) => a - b);
      expect(prefixesIn(shown)).toEqual(widest.slice(0, 12));
    }),
  );
});
