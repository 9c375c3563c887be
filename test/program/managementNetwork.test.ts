import { aksIn } from "../config/managementNetworkCases";
import { subnetId } from "../support/rightManagement";
import { inputsOf, planOf, requires, resource } from "../support/plans";
import { minimal } from "../support/stacks";
import { updateInline } from "../support/inlinePlans";
import { redact } from "../../packages/plan-engine";
import { ofType } from "../../commands/plan/model/cluster/resources";

const planIn = (network: object, more: object = {}) =>
  updateInline({ ...minimal(), ...aksIn(network, more) });
const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test-management";
const nodes = `${group}/providers/Microsoft.Network/virtualNetworks/test-management-vnet/subnets/nodes`;
const egressCidrs = ["198.51.100.20/32"];

const cluster = "management-aks-cluster";
const aksOf = async (network: object, more: object = {}) => inputsOf(await planIn(network, more), cluster);
const sources = (plan: Awaited<ReturnType<typeof planIn>>): unknown =>
  (inputsOf(plan, "network-control-plane-nsg").securityRules as { sourceAddressPrefixes: string[] }[])[0]
    ?.sourceAddressPrefixes;

describe("AKS in a VNET of the stack", () => {
  it("has its nodes in the upper half, and a role there before it is created", async () => {
    const plan = await planIn({ vnetCidr: "10.50.0.0/24" });
    expect(inputsOf(plan, "management-aks-network-vnet")).toMatchObject({
      virtualNetworkName: "test-management-vnet",
      addressSpace: { addressPrefixes: ["10.50.0.0/24"] },
      subnets: [{ name: "nodes", addressPrefix: "10.50.0.128/25", defaultOutboundAccess: false }],
    });
    expect(inputsOf(plan, cluster)).toMatchObject({
      agentPoolProfiles: [{ vnetSubnetID: nodes }],
      networkProfile: { outboundType: "loadBalancer" },
    });
    expect(inputsOf(plan, "management-aks-network-nodes-role")).toMatchObject({ scope: nodes });
    expect([...requires(plan, cluster)]).toEqual(
      expect.arrayContaining(["management-aks-network-nodes-role", "management-aks-network-role"]),
    );
  });

  it("leaves by a NAT gateway of the stack, from whose address workload API servers are reached", async () => {
    const plan = await planIn(
      { vnetCidr: "10.50.0.0/24", outbound: { type: "nat" } },
      { authorizedCidrs: ["203.0.113.0/24"] },
    );
    const { update } = plan;
    const address = redact(resource(plan, "management-aks-network-nat-ip").outputs) as { ipAddress: string };
    expect(inputsOf(plan, cluster)).toMatchObject({
      networkProfile: { outboundType: "userAssignedNATGateway" },
      apiServerAccessProfile: { authorizedIPRanges: ["203.0.113.0/24", `${address.ipAddress}/32`] },
    });
    expect(inputsOf(plan, cluster).networkProfile).not.toHaveProperty("loadBalancerProfile");
    expect(sources(plan)).toContain(`${address.ipAddress}/32`);
    expect(update.resources.map(({ name }) => name)).not.toContain("management-aks-egress-ip");
    expect(plan.cluster.bill.filter(({ role }) => role === "load balancer of AKS")).toEqual([]);
  });

  it("does not take the place of the workload cluster's network in reports", async () => {
    const { network } = (await planIn({ vnetCidr: "10.50.0.0/24", outbound: { type: "nat" } })).cluster;
    expect([network.vnet, network.cidrs, network.natGateway]).toEqual([
      "test-vnet",
      ["10.10.0.0/16"],
      "test-node-natgw",
    ]);
  });
});

describe("AKS in a subnet of others", () => {
  it.each([
    ["existingNat", "userAssignedNATGateway"],
    ["firewall", "userDefinedRouting"],
  ])(
    "leaves by what the subnet has (%s), and the stack makes no network for it",
    async (type, outboundType) => {
      const plan = await planIn({ subnetId, outbound: { type, egressCidrs } });
      expect(inputsOf(plan, cluster)).toMatchObject({
        agentPoolProfiles: [{ vnetSubnetID: subnetId }],
        networkProfile: { outboundType },
      });
      const made = ofType(
        plan.update.resources.map((one) => ({ ...one, inputs: redact(one.inputs) })) as never,
        ...["VirtualNetwork", "NatGateway", "PublicIPAddress"],
      ).map(({ name }) => name);
      expect(made.filter((name) => name.startsWith("management"))).toEqual([]);
      expect(sources(plan)).toContain("198.51.100.20/32");
    },
  );

  it("says who may put nodes there", async () => {
    const { rights } = (await planOf("private-management")).cluster;
    const subnet =
      "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/platform/subnets/snet-aks";
    expect(
      rights.identities.filter(({ scope }) => scope === subnet).map(({ who, role }) => [who, role]),
    ).toEqual([["private-platform-management-aks", "Network Contributor"]]);
    expect(rights.people.filter(({ scope }) => scope === subnet).map(({ role }) => role)).toEqual([
      "Role Based Access Control Administrator, with the condition below",
      "Network Contributor, or Microsoft.Network/virtualNetworks/subnets/join/action",
    ]);
  });
});

it("the run command is as the stack file says, and AKS's default otherwise", async () => {
  const vnetCidr = "10.50.0.0/24";
  for (const runCommand of [true, false]) {
    expect(await aksOf({ vnetCidr }, { runCommand, zones: ["1", "2"] })).toMatchObject({
      apiServerAccessProfile: { disableRunCommand: !runCommand },
      agentPoolProfiles: [{ availabilityZones: ["1", "2"] }],
    });
  }
  expect((await aksOf({ vnetCidr })).apiServerAccessProfile).toEqual({ authorizedIPRanges: [] });
});
