import fc from "fast-check";
import { decide, defaultRules, type Packet } from "../../platform/network/reach/rules";
import { route, routeOf } from "../../platform/network/reach/routes";
import {
  numberOf,
  type SecurityRule,
  type Subnet,
  type Topology,
} from "../../platform/network/reach/topology";

const topology = (subnet?: Subnet): Topology => ({
  ...{ vnet: "vnet", cidrs: ["10.10.0.0/16"], dnsServers: [] },
  subnets: subnet === undefined ? [] : [subnet],
  peerings: [{ name: "hub", cidrs: ["10.50.0.0/16"], access: true, gateway: false, forwarded: true }],
});

const prefix = fc.constantFrom(
  ...["*", "VirtualNetwork", "Internet", "AzureLoadBalancer", "0.0.0.0/0", "10.10.0.0/16", "10.10.0.0/24"],
  ...["10.10.0.4", "10.50.0.0/16", "203.0.113.0/24"],
);

const rule: fc.Arbitrary<SecurityRule> = fc.record({
  name: fc.constantFrom("a", "b", "c"),
  priority: fc.integer({ min: 200, max: 4096 }),
  direction: fc.constantFrom("Inbound", "Outbound"),
  access: fc.constantFrom("Allow", "Deny"),
  protocol: fc.constantFrom("Tcp", "Udp", "*"),
  from: fc.array(prefix, { minLength: 1, maxLength: 2 }),
  to: fc.array(prefix, { minLength: 1, maxLength: 2 }),
  sourcePorts: fc.constant(["*"]),
  ports: fc.constantFrom(["*"], ["22"], ["6443"], ["1-65535"], ["80", "443-6443"]),
});

/** No two rules of a group have one priority in one direction; Azure refuses them. */
const rules = fc.uniqueArray(rule, { maxLength: 8, selector: ({ priority }) => priority });

const address = fc
  .constantFrom("10.10.0.4", "10.10.1.4", "10.50.0.4", "203.0.113.7", "198.51.100.9", "168.63.129.16")
  .map(numberOf);

const packet: fc.Arbitrary<Packet> = fc.record({
  ...{ source: address, target: address },
  protocol: fc.constantFrom("Tcp", "Udp"),
  port: fc.constantFrom(22, 443, 4789, 6443),
});

const direction = fc.constantFrom<SecurityRule["direction"]>("Inbound", "Outbound");

const everything = (access: SecurityRule["access"], towards: SecurityRule["direction"]): SecurityRule => ({
  ...{ name: "first", priority: 100, direction: towards, access, protocol: "*" },
  ...{ from: ["*"], to: ["*"], sourcePorts: ["*"], ports: ["*"] },
});

it("a rule before all others decides alone, and without it they decide as before", () => {
  fc.assert(
    fc.property(rules, packet, direction, (own, one, towards) => {
      const verdict = (added: readonly SecurityRule[]) =>
        decide({ name: "nsg", rules: [...own, ...added] }, towards, one, topology());
      expect(verdict([everything("Deny", towards)])).toMatchObject({
        state: "shut",
        by: "first (100) of nsg",
      });
      expect(verdict([everything("Allow", towards)])).toEqual({ state: "open", by: "first (100) of nsg" });
      const other = towards === "Inbound" ? "Outbound" : "Inbound";
      expect(verdict([everything("Deny", other)])).toEqual(verdict([]));
    }),
  );
});

it("the order of rules in the list means nothing", () => {
  fc.assert(
    fc.property(rules, packet, direction, (own, one, towards) => {
      const verdict = (list: readonly SecurityRule[]) =>
        decide({ name: "nsg", rules: list }, towards, one, topology());
      expect(verdict([...own].reverse())).toEqual(verdict(own));
    }),
  );
});

/** Slowly, and only of this topology: the first rule by priority of which all parts match. */
function slowly(
  own: readonly SecurityRule[],
  towards: string,
  { source, target, protocol, port }: Packet,
): string {
  const text = (one: number) => [24, 16, 8, 0].map((bits) => Math.floor(one / 2 ** bits) % 256).join(".");
  const inVnet = (one: string) => /^(10\.10\.|10\.50\.|168\.63\.129\.16$)/.test(one);
  const has: Readonly<Record<string, (one: string) => boolean>> = {
    "*": () => true,
    "0.0.0.0/0": () => true,
    VirtualNetwork: inVnet,
    Internet: (one) => !inVnet(one),
    AzureLoadBalancer: (one) => one === "168.63.129.16",
    "10.10.0.0/16": (one) => one.startsWith("10.10."),
    "10.10.0.0/24": (one) => one.startsWith("10.10.0."),
    "10.10.0.4": (one) => one === "10.10.0.4",
    "10.50.0.0/16": (one) => one.startsWith("10.50."),
    "203.0.113.0/24": (one) => one.startsWith("203.0.113."),
  };
  const found = [...own, ...defaultRules]
    .sort((a, b) => a.priority - b.priority)
    .find(
      (one) =>
        one.direction === towards &&
        ["*", protocol].includes(one.protocol) &&
        one.from.some((each) => has[each]?.(text(source))) &&
        one.to.some((each) => has[each]?.(text(target))) &&
        one.ports.some((range) =>
          range === "*"
            ? true
            : Number(range.split("-")[0]) <= port && port <= Number(range.split("-").at(-1)),
        ),
    );
  return found?.access === "Allow" ? "open" : "shut";
}

it("decides as Azure's documentation says it, rule by rule", () => {
  fc.assert(
    fc.property(rules, packet, direction, (own, one, towards) => {
      expect(decide({ name: "nsg", rules: own }, towards, one, topology()).state).toBe(
        slowly(own, towards, one),
      );
    }),
  );
});

const named = (name: string, addressPrefix: string, hop: string) => ({
  name,
  prefix: addressPrefix,
  hop,
  address: "",
});

const subnetWith = (...routes: ReturnType<typeof named>[]): Subnet => ({
  ...{ name: "nodes", cidrs: ["10.10.1.0/24"], defaultOutbound: true },
  table: { name: "table", routes },
});

it.each([
  ["10.50.0.4", "open", "the peering hub"],
  ["10.50.1.4", "shut", "the route narrow of table, which drops 10.50.1.0/24"],
  ["10.60.0.4", "unknown", "a peering or a gateway of others: no VNET of the plan has these addresses"],
  ["10.10.0.4", "shut", "the route equal of table, which drops 10.10.0.0/16"],
  ["203.0.113.7", "shut", "the route wide of table, which drops 128.0.0.0/1"],
])("the longest prefix decides about %s, and of two equal ones that of the table", (target, state, by) => {
  const routes = [
    named("wide", "128.0.0.0/1", "None"),
    named("narrow", "10.50.1.0/24", "None"),
    named("equal", "10.10.0.0/16", "None"),
  ];
  const subnet = subnetWith(...routes);
  const reversed = subnetWith(...[...routes].reverse());
  expect(route(subnet, numberOf(target), topology(subnet))).toMatchObject({ state, by });
  expect(routeOf(reversed, numberOf(target), topology(reversed))).toEqual(
    routeOf(subnet, numberOf(target), topology(subnet)),
  );
});

it("says what only Azure knows", () => {
  const group = (access: SecurityRule["access"]) => ({
    name: "nsg",
    rules: [{ ...everything(access, "Outbound"), name: "tag", to: ["Storage.WestEurope"] }],
  });
  const out: Packet = {
    source: numberOf("10.10.0.4"),
    target: numberOf("203.0.113.7"),
    protocol: "Tcp",
    port: 443,
  };
  const by = "tag (100) of nsg, which only Azure can compare with these addresses";
  expect(decide(group("Deny"), "Outbound", out, topology())).toEqual({ state: "unknown", by });
  expect(decide(group("Allow"), "Outbound", out, topology()).state).toBe("open");
});
