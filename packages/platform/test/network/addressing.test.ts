import fc from "fast-check";
import {
  cidrSize,
  contains,
  defaultSubnets,
  formatCidr,
  mustParseCidr,
  overlaps,
  parseCidr,
  usableAddresses,
  collapseCidrs,
  type Cidr,
} from "capz-windows-platform/network/addressing";
import { always } from "capz-windows-test-kit/always";

const network = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 32 }))
  .map(([address, prefix]): Cidr => ({ first: address - (address % 2 ** (32 - prefix)), prefix }));

/** Pairs of related networks: equal, nested or adjacent. */
const related = network
  .filter(({ prefix }) => prefix > 0)
  .chain((cidr) => {
    const { first, prefix } = cidr;
    const size = cidrSize(cidr);
    const parent = { first: first - (first % (2 * size)), prefix: prefix - 1 };
    const sibling = { first: first === parent.first ? first + size : first - size, prefix };
    return fc.tuple(fc.constant(cidr), fc.constantFrom(cidr, parent, sibling));
  });

const pairs = fc
  .oneof(fc.tuple(network, network), related)
  .chain(([a, b]) => fc.constantFrom([a, b] as const, [b, a] as const));

/** Whether an address is in a network, determined without prefixes. */
const has = ({ first, prefix }: Cidr, address: number): boolean =>
  address >= first && address <= first + 2 ** (32 - prefix) - 1;

describe("a CIDR", () => {
  it(
    "round-trips through parsing and formatting",
    always(network, (cidr) => {
      expect(parseCidr(formatCidr(cidr))).toEqual(cidr);
    }),
  );

  it.each([
    "10.0.0.0",
    "10.0.0.0/33",
    "10.0.0.1/24",
    "10.0.0/8",
    "010.0.0.0/8",
    "fd00::/8",
    "10.0.0.0/-1",
    "",
    "a/8",
  ])("is not %s", (text) => {
    expect(parseCidr(text)).toBeUndefined();
    expect(() => mustParseCidr(text)).toThrow(`${text} is not an IPv4 network in CIDR notation`);
  });

  it(
    "overlaps another exactly if one contains the first or last address of the other",
    always(pairs, ([a, b]) => {
      const shares = [a.first, a.first + cidrSize(a) - 1].some((address) => has(b, address));
      const reverse = [b.first, b.first + cidrSize(b) - 1].some((address) => has(a, address));
      expect(overlaps(a, b)).toBe(shares || reverse);
      expect(overlaps(b, a)).toBe(overlaps(a, b));
    }),
  );

  it(
    "contains another exactly if it contains its first and last address",
    always(pairs, ([outer, inner]) => {
      const inside = has(outer, inner.first) && has(outer, inner.first + cidrSize(inner) - 1);
      expect(contains(outer, inner)).toBe(inside);
    }),
  );
});

describe("the default subnets", () => {
  it(
    "are inside the VNET, do not overlap, and are large enough for Azure, for every VNET down to /27",
    always(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 8, max: 27 }), (address, prefix) => {
      const vnet = { first: address - (address % 2 ** (32 - prefix)), prefix };
      const subnets = defaultSubnets(formatCidr(vnet));
      const [controlPlane, nodes] = [mustParseCidr(subnets.controlPlane), mustParseCidr(subnets.nodes)];
      expect(contains(vnet, controlPlane) && contains(vnet, nodes)).toBe(true);
      expect(overlaps(controlPlane, nodes)).toBe(false);
      expect(Math.max(controlPlane.prefix, nodes.prefix)).toBeLessThanOrEqual(29);
      expect(cidrSize(nodes) * 2).toBe(cidrSize(vnet));
    }),
  );

  it("give the control plane the first quarter of a small VNET", () => {
    expect(defaultSubnets("10.10.0.0/25")).toEqual({ controlPlane: "10.10.0.0/27", nodes: "10.10.0.64/26" });
  });

  it("give the nodes 32,763 addresses in a /16", () => {
    expect(defaultSubnets("10.10.0.0/16")).toEqual({ controlPlane: "10.10.0.0/24", nodes: "10.10.128.0/17" });
    expect(usableAddresses(mustParseCidr("10.10.128.0/17"))).toBe(32_763);
  });

  it("do not fit into a VNET of /28", () => {
    expect(() => defaultSubnets("10.0.0.0/28")).toThrow("10.0.0.0/28 is too small for two subnets");
  });
});

describe("the networks of a security rule", () => {
  it(
    "do not overlap and cover the same addresses",
    always(
      fc.array(network, { maxLength: 12 }),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      (list, address) => {
        const kept = collapseCidrs(list.map(formatCidr)).map(mustParseCidr);
        kept.forEach((a, i) => {
          kept.slice(i + 1).forEach((b) => {
            expect(overlaps(a, b)).toBe(false);
          });
        });
        const probes = [address, ...list.map(({ first }) => first)];
        for (const probe of probes) {
          expect(kept.some((cidr) => has(cidr, probe))).toBe(list.some((cidr) => has(cidr, probe)));
        }
      },
    ),
  );

  it("are only 0.0.0.0/0 if the list contains it", () => {
    expect(collapseCidrs(["203.0.113.7/32", "0.0.0.0/0", "10.0.0.0/8"])).toEqual(["0.0.0.0/0"]);
    expect(collapseCidrs(["10.1.0.0/16", "10.0.0.0/8", "9.0.0.0/8", "10.0.0.0/8"])).toEqual([
      "9.0.0.0/8",
      "10.0.0.0/8",
    ]);
  });
});
