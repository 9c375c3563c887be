import ipaddr from "ipaddr.js";
import { openedMetadata } from "capz-windows-platform/cluster/metadataAccess";

/** Policies by which pods reach Azure's metadata service and wire server, although the program's tier denies it. */

const imds = "169.254.169.254";
const wire = "168.63.129.16";
const both = [wire, imds];

const opened = (...objects: readonly unknown[]): string[] =>
  openedMetadata(
    objects.map((object) => ({ path: "x", object })),
    ["agents"],
  ).flatMap(({ message }) => both.filter((address) => message.includes(address)));

const calico = (egress: readonly unknown[], more: object = {}) => ({
  apiVersion: "crd.projectcalico.org/v1",
  kind: "GlobalNetworkPolicy",
  metadata: { name: "default.out" },
  spec: { tier: "default", order: -1000, selector: "all()", egress, ...more },
});
const allow = { action: "Allow" };
const to = (...nets: readonly string[]) => ({ destination: { nets } });

it.each<[string, egress: readonly unknown[], opens: readonly string[]]>([
  ["allows all", [allow], both],
  ["allows all of TCP", [{ ...allow, protocol: "TCP" }], both],
  ["allows UDP", [{ ...allow, protocol: "UDP" }], []],
  ["allows what is not TCP", [{ ...allow, notProtocol: 6 }], []],
  ["allows one of them", [{ ...allow, ...to(`${imds}/32`) }], [imds]],
  ["allows it with host bits", [{ ...allow, ...to(`${imds}/16`) }], [imds]],
  ["allows an address alone", [{ ...allow, ...to(wire) }], [wire]],
  ["allows other networks", [{ ...allow, ...to("10.0.0.0/8", "fd00::/8", "no network") }], []],
  ["leaves both out", [{ ...allow, destination: { notNets: ["169.254.0.0/16", "168.63.129.16/32"] } }], []],
  ["allows a range of ports", [{ ...allow, destination: { ports: ["1:100"] } }], both],
  ["allows the port of the wire server", [{ ...allow, destination: { ports: [32_526] } }], [wire]],
  ["allows HTTPS and a named port", [{ ...allow, destination: { ports: [443, "web"] } }], []],
  ["leaves out the port of both", [{ ...allow, destination: { notPorts: [80, 32_526] } }], []],
  ["allows pods", [{ ...allow, destination: { selector: "all()" } }], []],
  ["denies both first", [{ action: "Deny", ...to(`${imds}/32`, `${wire}/32`) }, allow], []],
  ["passes on", [{ action: "Log" }, { action: "Pass" }, allow], []],
  ["denies only some pods first", [{ action: "Deny", source: { selector: "a == 'b'" } }, allow], both],
])("a policy of Calico that %s", (_, egress, opens) => {
  expect(opened(calico(egress))).toEqual(opens);
  expect(opened({ ...calico(egress), kind: "NetworkPolicy", apiVersion: "projectcalico.org/v3" })).toEqual(
    opens,
  );
});

it("a set of networks counts as its networks", () => {
  const set = { kind: "GlobalNetworkSet", spec: { nets: ["169.254.0.0/16"] } };
  expect(opened(set, calico([{ ...allow, destination: { selector: "all()" } }]))).toEqual([imds]);
  expect(opened(set)).toEqual([]);
});

it("only tiers that come before count, and the program's own one", () => {
  const apiVersion = "projectcalico.org/v3";
  const tier = (order?: number, name = "t") => ({
    ...{ apiVersion, kind: "Tier" },
    ...{ metadata: { name }, spec: { order } },
  });
  const inTier = (name: string) => calico([allow], { tier: name });
  expect(opened(inTier("capz-windows"))).toEqual(both);
  expect(opened(inTier("t"))).toEqual(both);
  expect(opened(tier(10), inTier("t"))).toEqual(both);
  for (const late of [[tier(3_000_000), inTier("t")], [tier(), inTier("t")], [inTier("kube-baseline")]]) {
    expect(opened(...late)).toEqual([]);
  }
  expect(opened(tier(3_000_000), tier(10), inTier("t"))).toEqual(both);
  expect(opened({ ...tier(3_000_000), apiVersion: "example.com/v1" }, inTier("t"))).toEqual(both);
  for (const name of ["default", "kube-admin", "capz-windows"]) {
    expect(opened(tier(3_000_000, name), inTier(name))).toEqual(both);
  }
});

it("in the program's own tier, what a policy passes on is not denied any more", () => {
  const inTier = (tier: string, ...egress: readonly unknown[]) => opened(calico(egress, { tier }));
  expect(inTier("capz-windows", { action: "Pass" })).toEqual(both);
  expect(inTier("capz-windows", { action: "Pass", ...to(imds) })).toEqual([imds]);
  expect(inTier("capz-windows", { action: "Deny" }, { action: "Pass" })).toEqual([]);
  expect(inTier("early", { action: "Pass" })).toEqual([]);
});

it("looks through sets of networks once, whatever the number of rules", () => {
  const nets = Array.from({ length: 1_000 }, (_, index) => `10.0.${index % 256}.0/24`);
  const parse = jest.spyOn(ipaddr.IPv4, "parse");
  const set = { kind: "NetworkSet", spec: { nets } };
  const rules = Array.from({ length: 100 }, () => ({ ...allow, destination: { selector: "all()" } }));
  expect(opened(set, calico(rules))).toEqual([]);
  const parsed = parse.mock.calls.length;
  parse.mockRestore();
  expect(parsed).toBeLessThanOrEqual(4_000);
});

it("a namespace that may reach them, and kinds without such rules, are left out", () => {
  const own = { kind: "NetworkPolicy", spec: { egress: [{}] } };
  expect(opened({ ...own, metadata: { namespace: "agents", name: "a" } })).toEqual([]);
  expect(opened({ ...own, metadata: { namespace: "web", name: "a" } })).toEqual(both);
  for (const kind of ["GlobalNetworkPolicy", "AdminNetworkPolicy", "ClusterNetworkPolicy"]) {
    const metadata = { namespace: "agents", name: "a" };
    const egress = [{ ...allow, to: [{ networks: ["0.0.0.0/0"] }] }];
    expect(opened({ kind, metadata, spec: { egress } })).toEqual(both);
  }
  expect(opened({ kind: "StagedGlobalNetworkPolicy", spec: { egress: [allow] } }, null)).toEqual([]);
});

it.each<[string, rule: object, opens: readonly string[]]>([
  ["pods", { to: [{ podSelector: {} }] }, []],
  ["a network", { to: [{ ipBlock: { cidr: "0.0.0.0/0", except: ["169.254.0.0/16"] } }] }, [wire]],
  ["DNS and HTTPS", { ports: [{ port: 53, protocol: "UDP" }, { port: 443 }] }, []],
  ["ports", { ports: [{ port: 79, endPort: 81 }] }, both],
  ["all of TCP", { ports: [{ protocol: "TCP" }] }, both],
])("a NetworkPolicy that lets out to %s", (_, rule, opens) => {
  const spec = { policyTypes: ["Egress"], egress: [rule] };
  expect(opened({ apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", spec })).toEqual(opens);
});

it("policies of administrators count, those of the last tier do not", () => {
  const networks = (action: string) => ({ action, to: [{ networks: ["0.0.0.0/0"] }, { pods: {} }] });
  const admin = (kind: string, egress: readonly unknown[], tier?: string) => ({
    kind,
    spec: { tier, egress },
  });
  expect(opened(admin("AdminNetworkPolicy", [networks("Allow")]))).toEqual(both);
  expect(opened(admin("ClusterNetworkPolicy", [networks("Accept")], "Admin"))).toEqual(both);
  expect(opened(admin("ClusterNetworkPolicy", [networks("Accept")], "Baseline"))).toEqual([]);
  expect(opened(admin("AdminNetworkPolicy", [networks("Deny"), networks("Allow")]))).toEqual([]);
  const onePort = { ...networks("Deny"), ports: [{ portNumber: { port: 443, protocol: "TCP" } }] };
  expect(opened(admin("AdminNetworkPolicy", [onePort, networks("Allow")]))).toEqual(both);
  expect(opened(admin("AdminNetworkPolicy", [{ action: "Allow", to: [{ pods: {} }] }]))).toEqual([]);
});

it.each<[string, port: object, opens: readonly string[]]>([
  ["HTTPS", { portNumber: { protocol: "TCP", port: 443 } }, []],
  ["HTTP", { portNumber: { port: 80 } }, both],
  ["UDP", { portNumber: { protocol: "UDP", port: 80 } }, []],
  ["a range", { portRange: { start: 32_000, end: 33_000 } }, [wire]],
  ["a named port, which may be any", { namedPort: "web" }, both],
])("an AdminNetworkPolicy that allows %s", (_, port, opens) => {
  const egress = [{ ...allow, to: [{ networks: ["0.0.0.0/0"] }], ports: [port] }];
  expect(opened({ kind: "AdminNetworkPolicy", spec: { egress } })).toEqual(opens);
  const protocols = [{ tcp: { destinationPort: { number: 443 } } }];
  expect(opened({ kind: "ClusterNetworkPolicy", spec: { egress: [{ ...egress[0], protocols }] } })).toEqual(
    both,
  );
});
