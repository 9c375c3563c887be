import { updateInline } from "../support/inlinePlans";
import { addressOf, apiServerSources, inputsOf, objectsOf } from "../support/plans";
import { privateOutbound, privateStack } from "../support/networks";
import { minimal } from "../support/stacks";

/** The ways out of the VNET of a stack. */

type Plan = Awaited<ReturnType<typeof updateInline>>;

const of = (outbound: object) => updateInline({ ...minimal(), network: { outbound } });
const privately = (outbound: object, more: object = {}) =>
  updateInline({ ...minimal(), ...privateOutbound(outbound, more) });

const ofNetwork = ({ update }: Plan): string[] =>
  update.resources
    .map(({ name }) => name)
    .filter((name) => /^network-(nat|routes)/.test(name))
    .sort();

interface Subnet {
  readonly name: string;
  readonly natGateway?: object;
  readonly routeTable: { readonly id: string };
  readonly defaultOutboundAccess?: boolean;
}

const subnetsOf = (plan: Plan): readonly Subnet[] =>
  inputsOf(plan, "network-vnet").subnets as readonly Subnet[];

const nodeSubnet = (plan: Plan) => {
  const [cluster] = objectsOf(plan, "AzureCluster") as { spec?: { networkSpec: { subnets: object[] } } }[];
  return cluster?.spec?.networkSpec.subnets[1];
};

const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups";
const natGatewayId = `${group}/network/providers/Microsoft.Network/natGateways/natgw`;
const routeTableId = `${group}/network/providers/Microsoft.Network/routeTables/rt`;
const ownSubnet = `${group}/test/providers/Microsoft.Network/virtualNetworks/test-vnet/subnets/node-subnet`;

const outboundRow = (plan: Plan) => plan.cluster.network.outbound;

describe("a NAT gateway of the stack", () => {
  it("has as many addresses as the stack file says, all of which reach the API server", async () => {
    const plan = await of({ type: "nat", addresses: 3, idleTimeoutMinutes: 10 });
    expect(ofNetwork(plan)).toEqual([
      ...["network-nat", "network-nat-ip", "network-nat-ip-2", "network-nat-ip-3"],
      "network-routes",
    ]);
    expect(inputsOf(plan, "network-nat-ip-3").publicIpAddressName).toBe("pip-test-node-natgw-3");
    expect(inputsOf(plan, "network-nat")).toMatchObject({
      idleTimeoutInMinutes: 10,
      publicIpAddresses: [1, 2, 3].map(() => ({
        id: expect.stringContaining("/publicIPAddresses/pip-") as string,
      })),
    });
    expect(apiServerSources(plan)).toEqual(
      expect.arrayContaining(["", "-2", "-3"].map((suffix) => addressOf(plan, `network-nat-ip${suffix}`))),
    );
    // CAPZ finds the first address by its name.
    expect(nodeSubnet(plan)).toMatchObject({ natGateway: { name: "test-node-natgw" } });
    expect(nodeSubnet(plan)).not.toHaveProperty("id");
    expect(outboundRow(plan)).toEqual({
      ...{ what: "NAT gateway", name: "test-node-natgw" },
      details: ["3 public addresses", "forgets idle connections after 10 minutes"],
    });
    expect(plan.cluster.quota.publicAddresses).toBe(5);
  });

  it("has the bytes that it had before, where the stack file chooses it", async () => {
    const [chosen, byDefault] = [await of({ type: "nat" }), await updateInline(minimal())];
    for (const name of ["network-nat", "network-nat-ip", "network-routes", "network-vnet"]) {
      expect(inputsOf(chosen, name)).toEqual(inputsOf(byDefault, name));
    }
    expect(objectsOf(chosen, "AzureCluster")).toEqual(objectsOf(byDefault, "AzureCluster"));
  });

  it("has a prefix instead, of which CAPZ is told nothing", async () => {
    const plan = await of({ type: "nat", prefixLength: 30 });
    expect(ofNetwork(plan)).toEqual(["network-nat", "network-nat-prefix-30", "network-routes"]);
    const nat = inputsOf(plan, "network-nat");
    expect(nat).not.toHaveProperty("publicIpAddresses");
    expect(nat.publicIpPrefixes).toEqual([
      { id: expect.stringMatching(/\/publicIPPrefixes\/ippre-test-node-natgw-30$/) as string },
    ]);
    expect(apiServerSources(plan)).toContain(
      plan.update.resources.find(({ name }) => name === "network-nat-prefix-30")?.outputs.ipPrefix,
    );
    expect(nodeSubnet(plan)).toMatchObject({ id: ownSubnet });
    expect(nodeSubnet(plan)).not.toHaveProperty("natGateway");
    expect(plan.cluster.quota.publicAddresses).toBe(6);
  });
});

describe("a NAT gateway of others", () => {
  it("is attached to every subnet, and its addresses reach the API server", async () => {
    const plan = await of({ type: "existingNat", natGatewayId, egressCidrs: ["198.51.100.10/32"] });
    expect(ofNetwork(plan)).toEqual(["network-routes"]);
    expect(subnetsOf(plan).map((subnet) => [subnet.natGateway, subnet.defaultOutboundAccess])).toEqual([
      [{ id: natGatewayId }, false],
      [{ id: natGatewayId }, false],
    ]);
    expect(apiServerSources(plan)).toContain("198.51.100.10/32");
    expect(nodeSubnet(plan)).toMatchObject({ id: ownSubnet });
    expect(nodeSubnet(plan)).not.toHaveProperty("natGateway");
    expect(outboundRow(plan)).toEqual({
      ...{ what: "NAT gateway of others", name: "natgw", details: ["198.51.100.10/32"] },
    });
    expect(plan.cluster.rights.people).toContainEqual(
      expect.objectContaining({
        ...{ who: "pulumi up", scope: natGatewayId },
        role: "Network Contributor",
        actions: ["Microsoft.Network/natGateways/join/action"],
      }),
    );
  });
});

describe("a firewall", () => {
  it("gets everything by the route table of the stack, which has no public address then", async () => {
    const plan = await privately({ type: "firewall", firewallAddress: "10.50.0.4" });
    expect(ofNetwork(plan)).toEqual(["network-routes"]);
    expect(inputsOf(plan, "network-routes").routes).toEqual([
      {
        ...{ name: "to-firewall", addressPrefix: "0.0.0.0/0" },
        ...{ nextHopType: "VirtualAppliance", nextHopIpAddress: "10.50.0.4" },
      },
    ]);
    const made = plan.update.resources.filter(({ type }) => /PublicIP|NatGateway/.test(type));
    expect(made).toEqual([]);
    expect(plan.cluster.quota.publicAddresses).toBe(0);
    for (const subnet of subnetsOf(plan)) {
      expect(subnet).not.toHaveProperty("natGateway");
      expect(subnet).toMatchObject({
        defaultOutboundAccess: false,
        routeTable: { id: expect.stringMatching(/\/routeTables\/test-node-routetable$/) as string },
      });
    }
    // Neither a NAT gateway nor an outbound load balancer, each of which would have a public address.
    expect(nodeSubnet(plan)).toMatchObject({ id: ownSubnet });
    expect(JSON.stringify(objectsOf(plan, "AzureCluster"))).not.toMatch(/natGateway|OutboundLB/);
  });

  it("is behind a route table of others, and then the stack makes none", async () => {
    const plan = await privately({ type: "firewall", routeTableId });
    expect(ofNetwork(plan)).toEqual([]);
    expect(subnetsOf(plan).map(({ routeTable }) => routeTable)).toEqual([
      { id: routeTableId },
      { id: routeTableId },
    ]);
    expect(outboundRow(plan)).toEqual({
      ...{ what: "route table of others", name: "rt" },
      details: ["it must lead 0.0.0.0/0 to the firewall"],
    });
  });
});

describe("no way out", () => {
  const mirror = { registryMirror: { url: "https://mirror.example.com" } };

  it("is a network without gateway, route and public address", async () => {
    const plan = await privately({ type: "none" }, mirror);
    expect(ofNetwork(plan)).toEqual(["network-routes"]);
    expect(inputsOf(plan, "network-routes")).not.toHaveProperty("routes");
    expect(
      subnetsOf(plan).map(({ natGateway, defaultOutboundAccess }) => [natGateway, defaultOutboundAccess]),
    ).toEqual([
      [undefined, false],
      [undefined, false],
    ]);
    expect(plan.cluster.quota.publicAddresses).toBe(0);
  });

  const warnings = async (more: object) =>
    (await privately({ type: "none" }, more)).warnings.filter((line) => line.startsWith("network.outbound"));

  it("warns of what the cloud provider needs, unless there is a proxy", async () => {
    expect(await warnings({ proxy: { url: "http://proxy.example.com:3128" } })).toEqual([]);
    expect(await warnings(mirror)).toEqual([
      "network.outbound: the cloud provider and the CSI drivers call management.azure.com, which nodes do not reach without a way out: no load balancer of a Service and no volume is made, unless your network leads there (private link for Azure Resource Manager); a proxy is another way",
    ]);
  });
});

it("a private stack without a choice has the NAT gateway of all stacks", async () => {
  const plan = await updateInline({ ...minimal(), ...privateStack() });
  expect(ofNetwork(plan)).toEqual(["network-nat", "network-nat-ip", "network-routes"]);
  expect(plan.cluster.network.outbound).toBeUndefined();
});
