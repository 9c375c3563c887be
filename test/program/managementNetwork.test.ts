import { managementReach } from "../../plan/reports/managementRows";
import { subnetId } from "../support/rightManagement";
import { apiServerSources, expectAfter, inputsOf, planOf, resource } from "../support/plans";
import { minimal } from "../support/stacks";
import { updateInline } from "../support/inlinePlans";
import { redact } from "pulumi-plan-engine";
import { aksIn, besideAks } from "../support/networks";
import { ofType } from "../../plan/model/cluster/resources";

const planIn = (network: object, more: object = {}) =>
  updateInline({ ...minimal(), ...aksIn(network, more) });
const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test-management";
const nodes = `${group}/providers/Microsoft.Network/virtualNetworks/test-management-vnet/subnets/nodes`;
const egressCidrs = ["198.51.100.20/32"];

const cluster = "management-aks-cluster";
const aksOf = async (network: object, more: object = {}) => inputsOf(await planIn(network, more), cluster);

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
    expectAfter(plan, cluster, ["management-aks-network-nodes-role", "management-aks-network-role"]);
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
    expect(apiServerSources(plan)).toContain(`${address.ipAddress}/32`);
    expect(update.resources.map(({ name }) => name)).not.toContain("management-aks-egress-ip");
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
      expect(apiServerSources(plan)).toContain("198.51.100.20/32");
    },
  );

  it("says who may put nodes there", async () => {
    const { rights } = (await planOf("private-management")).cluster;
    const subnet =
      "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/platform/subnets/snet-aks";
    expect(
      rights.identities
        .filter(({ who }) => who === "private-platform-management-aks")
        .map(({ role, scope }) => [role, scope.split("/").at(-1)]),
    ).toEqual([
      ["Private DNS Zone Contributor", "privatelink.westeurope.azmk8s.io"],
      ["Network Contributor", "platform"],
      ["Network Contributor", "snet-aks"],
    ]);
    expect(
      rights.people.filter(({ scope }) => scope === subnet).map(({ role, actions }) => [role, actions]),
    ).toEqual([["Network Contributor", ["Microsoft.Network/virtualNetworks/subnets/join/action"]]]);
    expect(
      rights.people
        .filter(({ role }) => role.startsWith("Role Based"))
        .map(({ scope }) => scope.split("/").at(-1)),
    ).toEqual(["privatelink.westeurope.azmk8s.io", "platform"]);
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

describe("a private API server of AKS", () => {
  const vnetCidr = "10.50.0.0/24";
  const zone =
    "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/privatelink.westeurope.azmk8s.io";
  const profile = async (apiServer: object) =>
    (await aksOf({ vnetCidr, apiServer: { private: true, ...apiServer } })).apiServerAccessProfile;

  it("has neither authorized ranges nor the run command, and a public name", async () => {
    expect(await profile({})).toEqual({
      enablePrivateCluster: true,
      privateDNSZone: "system",
      enablePrivateClusterPublicFQDN: true,
      disableRunCommand: true,
    });
    expect(await profile({ privateDnsZone: "none" })).toMatchObject({ privateDNSZone: "none" });
  });

  it("is in the first /28 of the VNET with VNET integration, where AKS may join", async () => {
    const plan = await planIn({ vnetCidr, apiServer: { vnetIntegration: true } });
    const subnet = nodes.replace(/nodes$/, "api-server");
    expect(inputsOf(plan, "management-aks-network-vnet").subnets).toEqual([
      {
        ...{ name: "api-server", addressPrefix: "10.50.0.0/28" },
        delegations: [{ name: "aks", serviceName: "Microsoft.ContainerService/managedClusters" }],
      },
      { name: "nodes", addressPrefix: "10.50.0.128/25", defaultOutboundAccess: false },
    ]);
    // Without private: true it has a public address, too.
    expect(inputsOf(plan, cluster).apiServerAccessProfile).toEqual({
      ...{ enableVnetIntegration: true, subnetId: subnet, authorizedIPRanges: [] },
    });
    expect(inputsOf(plan, "management-aks-network-api-server-role")).toMatchObject({ scope: subnet });
  });

  it("is in a zone of others, on which AKS has its roles before it is created", async () => {
    const plan = await planIn({
      vnetCidr,
      apiServer: { private: true, privateDnsZone: zone, publicFqdn: false },
    });
    expect(inputsOf(plan, cluster).apiServerAccessProfile).toMatchObject({
      privateDNSZone: zone,
      enablePrivateClusterPublicFQDN: false,
    });
    const roles = ["zone-role", "vnet-role"].map((part) => `management-aks-network-${part}`);
    expect(roles.map((name) => inputsOf(plan, name).scope)).toEqual([
      zone,
      nodes.replace("/subnets/nodes", ""),
    ]);
    expectAfter(plan, cluster, roles);
  });

  it("is in a zone of the stack, which is linked to the VNETs of agents", async () => {
    const hub = zone.replace(/privateDnsZones.*/, "virtualNetworks/hub");
    const plan = await planIn({
      vnetCidr,
      apiServer: { private: true, vnetIntegration: true, privateDnsZone: "own", linkedVnetIds: [hub] },
    });
    expect(inputsOf(plan, "management-aks-network-zone")).toMatchObject({
      ...{ resourceGroupName: "test-management", privateZoneName: "private.westeurope.azmk8s.io" },
    });
    const links = plan.update.resources.filter(({ type }) => type.endsWith(":VirtualNetworkLink"));
    expect(links.map(({ inputs }) => redact(inputs))).toMatchObject([
      { privateZoneName: "private.westeurope.azmk8s.io", virtualNetwork: { id: hub } },
    ]);
  });

  it("is private in what the plan says of reach, and says where people must be", async () => {
    const { cluster: model } = await planIn({ vnetCidr, apiServer: { private: true } });
    expect(managementReach(model.management)).toEqual([
      {
        label: "management API server",
        lines: [
          "the VNET, what is peered with it and what is behind its gateway; credentials are needed",
          "whoever runs `pulumi up`, kubectl and npm run doctor must be there: no agents that GitHub or Azure DevOps host",
          "by a public name of the private address, which the kubeconfig has",
          "not by `az aks command invoke`, which is off",
        ],
      },
    ]);
  });
});

describe("a private API server of the workload cluster beside AKS of the stack", () => {
  const vnet = nodes.replace("/subnets/nodes", "");
  const linked = (plan: Awaited<ReturnType<typeof planIn>>): string[] =>
    plan.update.resources
      .filter(({ type }) => type.endsWith(":VirtualNetworkLink"))
      .map(({ inputs }) => (redact(inputs) as { virtualNetwork: { id: string } }).virtualNetwork.id);

  it("is reached by the controllers: the stack peers both VNETs and links the zone", async () => {
    const plan = await updateInline({ ...minimal(), ...besideAks({ vnetCidr: "10.50.0.0/24" }) });
    const own = vnet.replaceAll("test-management", "test");
    expect(linked(plan).sort()).toEqual([own, vnet].sort());
    const peerings = plan.update.resources.filter(({ type }) => type.endsWith(":VirtualNetworkPeering"));
    expect(
      peerings
        .map(({ inputs }) => redact(inputs) as Record<string, unknown>)
        .map((peering) => [peering.virtualNetworkName, (peering.remoteVirtualNetwork as { id: string }).id]),
    ).toEqual([
      ["test-management-vnet", own],
      ["test-vnet", vnet],
    ]);
    for (const { name } of peerings) {
      expectAfter(plan, name, ["management-aks-network-vnet"]);
      expectAfter(plan, "cluster-cluster", [name]);
    }
  });

  it("is linked to the VNET of others in which AKS is, and peered as the stack file says", async () => {
    const hub = { vnetId: vnet.replace("test-management", "hub"), addressSpaces: ["10.60.0.0/16"] };
    const plan = await updateInline({ ...minimal(), ...besideAks({ subnetId }, { peerings: { hub } }) });
    expect(linked(plan)).toContain(subnetId.slice(0, subnetId.indexOf("/subnets/")));
    expect(plan.cluster.network.peerings?.map(({ name }) => name)).toEqual(["hub"]);
  });
});

it("a management stack says in which VNET it is", async () => {
  const outputs = async (stack: string) => (await planOf(stack)).update.outputs;
  expect(await outputs("private-management")).toMatchObject({
    managementVnetId:
      "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/platform",
  });
  expect(await outputs("management")).not.toHaveProperty("managementVnetId");
});
