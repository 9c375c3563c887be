import fc from "fast-check";
import { loadSettings } from "../../config/load";
import { mustParseCidr, overlaps } from "capz-windows-platform/network/addressing";
import { ConfigError } from "capz-windows-kit/problem";
import { updateInline } from "../support/inlinePlans";
import { inputsOf, objectsOf, planOf, rowsOf } from "../support/plans";
import { hub, privateStack } from "../support/networks";
import { minimal } from "../support/stacks";

/** Peerings of the VNET of a stack, and its DNS servers. */

type Plan = Awaited<ReturnType<typeof updateInline>>;

const withNetwork = (network: object) => updateInline({ ...minimal(), network });
const ownVnet =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test/providers/Microsoft.Network/virtualNetworks/test-vnet";
const command = `az network vnet peering create --subscription 22222222-2222-4333-8444-555555555555 --resource-group hub --vnet-name hub --name to-test --remote-vnet ${ownVnet} --allow-vnet-access`;

const resource = ({ update }: Plan, name: string) => update.resources.find((one) => one.name === name);
const named = ({ update }: Plan): string[] =>
  update.resources
    .map(({ name }) => name)
    .filter((name) => name.startsWith("peering"))
    .sort();

it("a peering of which others make the other side has the stack's side, and the command for them", async () => {
  const plan = await withNetwork({ peerings: { hub: { ...hub, useRemoteGateways: true } } });
  expect(named(plan)).toEqual(["peering", "peering-hub"]);
  expect(inputsOf(plan, "peering-hub")).toEqual({
    ...{ resourceGroupName: "test", virtualNetworkName: "test-vnet", virtualNetworkPeeringName: "to-hub" },
    ...{ remoteVirtualNetwork: { id: hub.vnetId }, allowVirtualNetworkAccess: true },
    ...{ allowForwardedTraffic: true, allowGatewayTransit: false, useRemoteGateways: true },
  });
  expect(plan.update.outputs.peeringCommands).toBe(`${command} --allow-gateway-transit`);
  expect(rowsOf(plan, "peering hub")).toEqual([
    "hub 10.50.0.0/16, forwarded packets come in, its gateway leads to further networks",
    `as to-hub with ${hub.vnetId}`,
    "the other side is made by others; packets pass once both exist. As soon as `pulumi up` has made the VNET:",
    { command: `${command} --allow-gateway-transit` },
  ]);
  expect(plan.cluster.rights.people).toContainEqual(
    expect.objectContaining({
      ...{ who: "pulumi up", scope: hub.vnetId },
      role: "Network Contributor",
      actions: expect.arrayContaining(["Microsoft.Network/virtualNetworks/peer/action"]) as unknown,
    }),
  );
});

it("the stack makes the other side first, with a provider for the subscription of the hub", async () => {
  const plan = await withNetwork({
    peerings: { hub: { ...hub, remoteSide: "stack", useRemoteGateways: true, allowForwardedTraffic: false } },
  });
  expect(named(plan)).toEqual(["peering", "peering-hub", "peering-hub-provider", "peering-hub-remote"]);
  expect(inputsOf(plan, "peering-hub-provider")).toMatchObject({
    subscriptionId: "22222222-2222-4333-8444-555555555555",
  });
  expect(inputsOf(plan, "peering-hub-remote")).toEqual({
    ...{ resourceGroupName: "hub", virtualNetworkName: "hub", virtualNetworkPeeringName: "to-test" },
    ...{ remoteVirtualNetwork: { id: ownVnet }, allowVirtualNetworkAccess: true },
    ...{ allowForwardedTraffic: false, allowGatewayTransit: true, useRemoteGateways: false },
  });
  const remote = resource(plan, "peering-hub-remote");
  expect(JSON.stringify(remote?.provider)).toContain("peering-hub-provider");
  expect(resource(plan, "peering-hub")?.dependencies).toContain(remote?.urn);
  expect(plan.update.outputs).not.toHaveProperty("peeringCommands");
  expect(rowsOf(plan, "peering hub").at(-1)).toBe("the other side is to-test, which the stack makes, too");
  expect(plan.cluster.rights.people.find(({ scope }) => scope === hub.vnetId)).toMatchObject({
    role: "Network Contributor",
    actions: expect.arrayContaining([
      "Microsoft.Network/virtualNetworks/virtualNetworkPeerings/write",
    ]) as unknown,
  });
});

it("peerings are made one after another, before the first machine", async () => {
  const data = { vnetId: hub.vnetId.replace(/hub$/, "data"), addressSpaces: ["10.60.0.0/16"] };
  const plan = await withNetwork({ peerings: { hub, data } });
  expect(resource(plan, "peering-hub")?.dependencies).toContain(resource(plan, "peering-data")?.urn);
  const cluster = plan.update.resources.find(({ type }) => type.endsWith(":Cluster"));
  expect(cluster?.dependencies).toContain(resource(plan, "peering-hub")?.urn);
});

it("DNS servers are those of the VNET, and nodes then have addresses instead of names", async () => {
  const plan = await updateInline({
    ...minimal(),
    network: { dnsServers: ["10.50.0.69", "10.50.0.68"] },
    linuxPools: { linux1: {} },
  });
  expect(inputsOf(plan, "network-vnet").dhcpOptions).toEqual({ dnsServers: ["10.50.0.69", "10.50.0.68"] });
  expect(rowsOf(plan, "DNS")).toEqual([
    "10.50.0.69, 10.50.0.68",
    "machines have no names there, only addresses",
  ]);
  expect(plan.cluster.pools[0]?.access.ssh).toMatch(
    /^ssh -J capi@\S+ capi@ADDRESS {2}# ADDRESS: kubectl get nodes -o wide$/,
  );
  expect(inputsOf(await withNetwork({}), "network-vnet")).not.toHaveProperty("dhcpOptions");
});

it("has addresses instead of names in a VNET of others, whose DNS servers the stack file does not name", async () => {
  const subnets = `${hub.vnetId.replace(/[^/]+$/, "spoke")}/subnets`;
  const existing = {
    ...{ controlPlaneSubnetId: `${subnets}/control-plane`, nodeSubnetId: `${subnets}/nodes` },
    ...{ nodeSecurityGroup: "nodes", egressCidrs: ["203.0.113.10/32"] },
  };
  const plan = await updateInline({
    ...minimal(),
    azure: { ...(minimal().azure as object), subscriptionId: "22222222-2222-4333-8444-555555555555" },
    network: {
      ...{ vnetCidr: "10.40.0.0/20", controlPlaneSubnetCidr: "10.40.0.0/26", nodeSubnetCidr: "10.40.4.0/22" },
      existing,
    },
    linuxPools: { linux1: {} },
  });
  const printed = plan.update.outputs.pools as Readonly<Record<string, { readonly ssh: string }>>;
  expect(plan.cluster.pools[0]?.access.ssh).toContain("capi@ADDRESS ");
  expect(printed.linux1?.ssh).toBe(plan.cluster.pools[0]?.access.ssh);
});

const warnings = async (config: object): Promise<string[]> =>
  (await updateInline({ ...minimal(), ...config })).warnings.filter((line) =>
    /^network\.(peerings|dnsServers|outbound)/.test(line),
  );

it("says what a VPN gateway, DNS servers and a firewall need", async () => {
  const { network } = privateStack();
  expect(
    await warnings({
      ...privateStack(),
      network: {
        ...network,
        peerings: { hub: { ...hub, useRemoteGateways: true } },
        dnsServers: ["10.50.0.68"],
        outbound: { type: "firewall", firewallAddress: "10.51.0.4" },
      },
    }),
  ).toEqual([
    "network.peerings.hub.useRemoteGateways: a VPN gateway carries TCP segments of 1350 bytes, so packets of 1350 + 40 = 1390, and machines send 1400 (network.mtu): TCP adapts where the VPN device clamps the MSS at 1350, larger UDP packets are fragmented or lost. With mtu: 1390 pods have 1390 - 50 = 1340; an ExpressRoute gateway carries 1500, and needs no change",
    "network.peerings.hub.useRemoteGateways: Azure accepts it only once the other side exists and allows gateway transit, and that side needs the VNET of the stack: for a first deployment leave useRemoteGateways out, have the command of the plan run, and add it afterwards; or set remoteSide: stack",
    "network.dnsServers: the first machine asks them for apiserver.test.capz.io: before `pulumi up`, let them forward test.capz.io to 168.63.129.16, from a VNET that is linked to the zone (network.apiServer.linkedVnetIds); otherwise no machine joins the cluster",
    "network.outbound.firewallAddress: 10.51.0.4 is in no VNET of network.peerings: machines reach it only once the VNET of the stack is peered with that of the firewall, and those that start before have no way out",
  ]);
  expect(
    await warnings({
      ...privateStack(),
      network: {
        ...{ ...network, mtu: 1390, dnsServers: ["168.63.129.16"] },
        peerings: { hub: { ...hub, useRemoteGateways: true, remoteSide: "stack" } },
        outbound: { type: "firewall", firewallAddress: "10.50.0.4" },
      },
    }),
  ).toEqual([]);
});

describe("ranges", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const cidr = fc
    .tuple(fc.constantFrom(10, 172, 192), octet, fc.integer({ min: 9, max: 24 }))
    .map(([first, second, prefix]) => {
      const whole = first * 2 ** 24 + second * 2 ** 16;
      const start = whole - (whole % 2 ** (32 - prefix));
      return `${[24, 16, 8, 0].map((bits) => Math.floor(start / 2 ** bits) % 256).join(".")}/${prefix}`;
    });
  const meet = (a: string, b: string) => overlaps(mustParseCidr(a), mustParseCidr(b));

  it("are accepted exactly where nothing of the stack and no other peering overlaps them", () => {
    fc.assert(
      fc.property(cidr, cidr, cidr, cidr, (vnetCidr, podCidr, first, second) => {
        const own = [vnetCidr, podCidr, "10.96.0.0/12"];
        const isFree =
          !meet(first, second) && ![first, second].some((one) => own.some((other) => meet(one, other)));
        const peerings = {
          first: { ...hub, addressSpaces: [first] },
          second: { vnetId: hub.vnetId.replace(/hub$/, "data"), addressSpaces: [second] },
        };
        let reported = false;
        try {
          loadSettings({ ...minimal(), network: { vnetCidr, podCidr, peerings } }, "Pulumi.test.yaml");
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          reported = /overlaps .* of the peering (first|second)/.test((error as Error).message);
        }
        expect(reported).toBe(!isFree);
      }),
      { numRuns: 200 },
    );
  });
});

it("the example of a spoke has no public address, and says what the firewall sees", async () => {
  const plan = await planOf("hub-spoke");
  expect(plan.update.resources.filter(({ type }) => /PublicIP|NatGateway/.test(type))).toEqual([]);
  expect(plan.cluster.quota.publicAddresses).toBe(0);
  expect(JSON.stringify(objectsOf(plan, "AzureCluster"))).not.toMatch(/publicIP|natGateway/i);
  expect(rowsOf(plan, "firewall")).toEqual([
    "lets 10.40.0.0/20 out to the hosts below, leads answers back there, and lets nothing of the Internet in",
  ]);
  expect(rowsOf(plan, "peering hub")).toContain(
    "packets to 10.50.0.0/16, and to what the gateway announces by BGP, take this way and not that of 0.0.0.0/0, so the firewall does not see them",
  );
});
