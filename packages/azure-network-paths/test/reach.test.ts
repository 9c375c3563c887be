import fc from "fast-check";
import { decide, defaultRules, type Packet } from "../rules";
import { between, outOf } from "../reach";
import { route, routeOf } from "../routes";
import { all, byOthers, numberOf, type SecurityRule, type Subnet, type Topology } from "../topology";
import { always } from "capz-windows-test-kit/always";

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
  ...{ source: address, target: address, from: fc.constant([]), to: fc.constant([]) },
  protocol: fc.constantFrom("Tcp", "Udp"),
  port: fc.constantFrom(22, 443, 4789, 6443),
});

const direction = fc.constantFrom<SecurityRule["direction"]>("Inbound", "Outbound");

const everything = (access: SecurityRule["access"], towards: SecurityRule["direction"]): SecurityRule => ({
  ...{ name: "first", priority: 100, direction: towards, access, protocol: "*" },
  ...{ from: ["*"], to: ["*"], sourcePorts: ["*"], ports: ["*"] },
});

it(
  "a rule before all others decides alone, and without it they decide as before",
  always(rules, packet, direction, (own, one, towards) => {
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

it(
  "the order of rules in the list means nothing",
  always(rules, packet, direction, (own, one, towards) => {
    const verdict = (list: readonly SecurityRule[]) =>
      decide({ name: "nsg", rules: list }, towards, one, topology());
    expect(verdict([...own].reverse())).toEqual(verdict(own));
  }),
);

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

it(
  "decides as Azure's documentation says it, rule by rule",
  always(rules, packet, direction, (own, one, towards) => {
    expect(decide({ name: "nsg", rules: own }, towards, one, topology()).state).toBe(
      slowly(own, towards, one),
    );
  }),
);

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
  ["10.60.0.4", "unknown", "peerings, gateways and routes of others between vnet and 10.60.0.4/32"],
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
  expect(route(subnet, numberOf(target), topology(subnet), [`${target}/32`])).toMatchObject({ state, by });
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
    ...{ source: numberOf("10.10.0.4"), from: [], to: [] },
    target: numberOf("203.0.113.7"),
    protocol: "Tcp",
    port: 443,
  };
  const by = "tag (100) of nsg, which only Azure can compare with these addresses";
  expect(decide(group("Deny"), "Outbound", out, topology())).toMatchObject({ state: "unknown", by });
  expect(decide(group("Allow"), "Outbound", out, topology()).state).toBe("open");
});

const state = fc.constantFrom<("open" | "shut" | "others")[]>("open", "shut", "others");

/** A subnet of which each part lets everything through or nothing, or is kept by others. */
const subnetOf = (name: string, cidr: string, group: string, table: string): Subnet => ({
  ...{ name, cidrs: [cidr], defaultOutbound: true },
  group: {
    name: `nsg-${name}`,
    ...(group === "others"
      ? {}
      : {
          rules: (["Inbound", "Outbound"] as const).map((towards) =>
            everything(group === "open" ? "Allow" : "Deny", towards),
          ),
        }),
  },
  table: {
    name: `rt-${name}`,
    ...(table === "others" ? {} : { routes: table === "open" ? [] : [named("drop", "10.0.0.0/8", "None")] }),
  },
});

/** What a reader expects of parts in the order of the way: what is shut decides, or all of others, or nothing. */
const expected = (parts: readonly (readonly [state: string, shut: string, others: string])[]) => {
  const shut = parts.find(([one]) => one === "shut");
  const others = parts.filter(([one]) => one === "others").map(([, , by]) => by);
  return shut !== undefined
    ? { state: "shut", by: shut[1] }
    : others.length > 0
      ? { state: "unknown", by: others.join("; ") }
      : { state: "open" };
};

const api = { protocol: "Tcp", port: 6443 } as const;

it(
  "what is shut decides, and otherwise everything of others is named",
  always(state, state, state, state, (group, table, otherGroup, otherTable) => {
    const from = subnetOf("a", "10.10.0.0/24", group, table);
    const to = subnetOf("b", "10.10.1.0/24", otherGroup, otherTable);
    expect(all(between({ ...topology(), subnets: [from, to] }, from, to, api))).toMatchObject(
      // A route that drops a wider range than the VNET's is not used in it.
      expected([
        [group, "first (100) of nsg-a", "outbound rules of nsg-a to 10.10.1.0/24"],
        [table === "shut" ? "open" : table, "", "routes of rt-a to 10.10.1.0/24"],
        [otherGroup, "first (100) of nsg-b", "inbound rules of nsg-b from 10.10.0.0/24"],
        [otherTable === "shut" ? "open" : otherTable, "", "routes of rt-b to 10.10.0.0/24"],
      ]),
    );
  }),
);

it(
  "what lies between two VNETs is named, too",
  always(state, state, state, fc.boolean(), (group, table, peering, isPeered) => {
    const from = subnetOf("a", "10.10.0.0/24", group, table);
    const hub = {
      ...{ name: "hub", cidrs: ["10.50.0.0/16"], gateway: false, forwarded: true },
      ...{ access: peering !== "shut", othersSide: peering === "others" },
    };
    const around = {
      ...topology(),
      subnets: [from],
      peerings: isPeered ? [hub] : [],
      firewall: "10.50.0.4",
    };
    const firewall = [
      table === "others" ? "others" : "open",
      "",
      "the firewall 10.50.0.4, if routes lead there",
    ] as const;
    const routes = [
      isPeered && table === "shut" ? "open" : table,
      "the route drop of rt-a, which drops 10.0.0.0/8",
      "routes of rt-a to 10.50.1.0/24",
    ] as const;
    const closed = "the peering hub, which lets no packets through";
    expect(all(outOf(around, from, ["10.50.1.0/24"], api))).toMatchObject(
      expected([
        [group, "first (100) of nsg-a", "outbound rules of nsg-a to 10.50.1.0/24"],
        routes,
        isPeered
          ? table === "others" && peering === "shut"
            ? ["others", "", closed]
            : [peering, closed, "the other side of the peering hub"]
          : [
              table === "shut" ? "open" : "others",
              "",
              "peerings, gateways and routes of others between vnet and 10.50.1.0/24",
            ],
        firewall,
      ]),
    );
  }),
);

it("the order and number of parts of others mean nothing but the order of the words", () => {
  const part = fc.record({
    what: fc.constantFrom("routes of rt to", "inbound rules of nsg from"),
    ranges: fc.subarray(["10.10.0.0/24", "10.10.0.0/16", "203.0.113.0/24", "the Internet"]),
  });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      const sorted = ({ others = [] }: ReturnType<typeof byOthers>) =>
        [...others].sort((a, b) => (a.what < b.what ? -1 : 1));
      const verdict = byOthers(parts);
      expect(sorted(byOthers([...parts].reverse()))).toEqual(sorted(verdict));
      expect(byOthers([...parts, ...parts, ...(verdict.others ?? [])])).toEqual(verdict);
    }),
  );
});
