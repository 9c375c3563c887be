import fc from "fast-check";
import { boundsOf, isInside, samples, tagsIn } from "../ranges";

/** Lists of ranges, compared with what their definition says, range by range. */

const range = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 32 }))
  .map(([number, prefix]) => {
    const first = number - (number % 2 ** (32 - prefix));
    const bytes = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
    return `${bytes.join(".")}/${prefix}`;
  });
const prefixes = fc.array(fc.oneof(range, fc.constantFrom("Internet", "*", "fd00::/8", "10.0.0.1")), {
  maxLength: 12,
});

it("an address is inside where one of the ranges has it", () => {
  fc.assert(
    fc.property(prefixes, prefixes, (list, others) => {
      const bounds = list.flatMap((text) => [boundsOf(text) ?? []].filter(({ length }) => length === 2));
      const ends = others.flatMap((text) => [...(boundsOf(text) ?? [])]);
      const addresses = [0, 2 ** 32 - 1, ...bounds.flat(), ...ends, ...ends.map((end) => end + 1)];
      const wanted = addresses.map((address) =>
        bounds.some(([first = 0, last = 0]) => first <= address && address <= last),
      );
      expect(addresses.map((address) => isInside(list, address))).toEqual(wanted);
      expect(tagsIn(list)).toEqual(list.filter((text) => boundsOf(text) === undefined));
    }),
  );
});

it("samples are the first address of each range and every place at which a prefix begins or ends in it, in their order", () => {
  fc.assert(
    fc.property(prefixes, prefixes, prefixes, (cidrs, one, other) => {
      const cuts = [...one, ...other].flatMap((text) => {
        const bounds = boundsOf(text);
        return bounds === undefined ? [] : [bounds[0], bounds[1] + 1];
      });
      const wanted = cidrs.flatMap((cidr) => {
        const bounds = boundsOf(cidr);
        return bounds === undefined
          ? []
          : [bounds[0], ...cuts.filter((cut) => bounds[0] < cut && cut <= bounds[1])];
      });
      expect(samples(cidrs, one, other)).toEqual([...new Set(wanted)]);
    }),
  );
});

// Compared pair by pair, this takes minutes.
it("20,000 networks take no longer than sorting them", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `11.${index >> 8}.${index % 256}.0/24`);
  const addresses = samples(many, many);
  expect(addresses).toHaveLength(20_000);
  expect(addresses.every((address) => isInside(many, address))).toBe(true);
});
