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
  withoutContained,
  type Cidr,
} from "../../../domain/network/addressing";
import { azureVnetMtu, vxlanMtu } from "../../../domain/network/mtu";

const network = fc
  .tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 32 }))
  .map(([address, prefix]): Cidr => ({ first: address - (address % 2 ** (32 - prefix)), prefix }));

/** Networks that have to do with each other: equal, in one another, side by side. */
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

/** Whether an address is in a network, by counting instead of by prefixes. */
const has = ({ first, prefix }: Cidr, address: number): boolean =>
  address >= first && address <= first + 2 ** (32 - prefix) - 1;

describe("a CIDR", () => {
  it("is read back as it was written", () => {
    fc.assert(
      fc.property(network, (cidr) => {
        expect(parseCidr(formatCidr(cidr))).toEqual(cidr);
      }),
    );
  });

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
    expect(() => mustParseCidr(text)).toThrow(`${text} is no IPv4 network in CIDR form`);
  });

  it("overlaps another exactly when they share an end", () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const shares = [a.first, a.first + cidrSize(a) - 1].some((address) => has(b, address));
        const reverse = [b.first, b.first + cidrSize(b) - 1].some((address) => has(a, address));
        expect(overlaps(a, b)).toBe(shares || reverse);
        expect(overlaps(b, a)).toBe(overlaps(a, b));
      }),
    );
  });

  it("contains another exactly when both ends are inside", () => {
    fc.assert(
      fc.property(pairs, ([outer, inner]) => {
        const inside = has(outer, inner.first) && has(outer, inner.first + cidrSize(inner) - 1);
        expect(contains(outer, inner)).toBe(inside);
      }),
    );
  });
});

describe("the default subnets", () => {
  it("are inside the VNET, apart, and large enough for Azure, for every VNET down to /27", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        fc.integer({ min: 8, max: 27 }),
        (address, prefix) => {
          const vnet = { first: address - (address % 2 ** (32 - prefix)), prefix };
          const subnets = defaultSubnets(formatCidr(vnet));
          const [controlPlane, nodes] = [mustParseCidr(subnets.controlPlane), mustParseCidr(subnets.nodes)];
          expect(contains(vnet, controlPlane) && contains(vnet, nodes)).toBe(true);
          expect(overlaps(controlPlane, nodes)).toBe(false);
          expect(Math.max(controlPlane.prefix, nodes.prefix)).toBeLessThanOrEqual(29);
          expect(cidrSize(nodes) * 2).toBe(cidrSize(vnet));
        },
      ),
    );
  });

  it("of a small VNET give the control plane its first quarter", () => {
    expect(defaultSubnets("10.10.0.0/25")).toEqual({ controlPlane: "10.10.0.0/27", nodes: "10.10.0.64/26" });
  });

  it("of a /16 leave the nodes 32,763 addresses", () => {
    expect(defaultSubnets("10.10.0.0/16")).toEqual({ controlPlane: "10.10.0.0/24", nodes: "10.10.128.0/17" });
    expect(usableAddresses(mustParseCidr("10.10.128.0/17"))).toBe(32_763);
  });

  it("do not exist in a VNET of /28", () => {
    expect(() => defaultSubnets("10.0.0.0/28")).toThrow("10.0.0.0/28 is too small for two subnets");
  });
});

describe("the networks of a security rule", () => {
  it("do not overlap and cover the same addresses", () => {
    fc.assert(
      fc.property(
        fc.array(network, { maxLength: 12 }),
        fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        (list, address) => {
          const kept = withoutContained(list.map(formatCidr)).map(mustParseCidr);
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
  });

  it("are the whole Internet alone when that is among them", () => {
    expect(withoutContained(["203.0.113.7/32", "0.0.0.0/0", "10.0.0.0/8"])).toEqual(["0.0.0.0/0"]);
    expect(withoutContained(["10.1.0.0/16", "10.0.0.0/8", "9.0.0.0/8", "10.0.0.0/8"])).toEqual([
      "9.0.0.0/8",
      "10.0.0.0/8",
    ]);
  });
});

it("pods get 50 bytes less than the network, 1350 on Azure", () => {
  expect(vxlanMtu(azureVnetMtu)).toBe(1350);
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 9000 }), (mtu) => {
      expect(vxlanMtu(mtu) + 50).toBe(mtu);
    }),
  );
});
