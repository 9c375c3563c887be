import { pictureOf } from "../../plan/reports/picture/boxes";
import { existingManagement, minimal, publicKey } from "../support/stacks";
import { updateInline } from "../support/inlinePlans";
import { inputsOf, objectsOf, rowsOf } from "../support/plans";

/** Ways in without a public port: Azure Bastion of the stack, one of others, and a jump host. */

type Plan = Awaited<ReturnType<typeof updateInline>>;

const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test";
const network = `${group}/providers/Microsoft.Network`;
const bastionId =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/bastionHosts/hub-bastion";

const planWith = (bastion: object, more: object = {}) =>
  updateInline({
    ...minimal(),
    access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24", "10.60.0.0/24"] },
    linuxPools: { linux1: {} },
    windowsPools: { win1: {} },
    network: { bastion },
    ...more,
  });

const own = { kind: "stack", range: "10.10.1.0/26" };

const typesOf = ({ update }: Plan): string[] => update.resources.map(({ type }) => type);

it("the stack makes a Bastion with tunnels and connections by address, in its own subnet", async () => {
  const plan = await planWith(own);
  expect(inputsOf(plan, "bastion-host")).toMatchObject({
    ...{ bastionHostName: "test-bastion", resourceGroupName: "test", sku: { name: "Standard" } },
    ...{ enableTunneling: true, enableIpConnect: true },
    ipConfigurations: [
      {
        publicIPAddress: { id: `${network}/publicIPAddresses/pip-test-bastion` },
        subnet: { id: `${network}/virtualNetworks/test-vnet/subnets/AzureBastionSubnet` },
      },
    ],
  });
  expect(inputsOf(plan, "bastion-host")).not.toHaveProperty("zones");
  expect(inputsOf(plan, "bastion-ip")).toMatchObject({
    ...{ publicIPAllocationMethod: "Static", sku: { name: "Standard" } },
  });
  const subnets = inputsOf(plan, "network-vnet").subnets as Record<string, unknown>[];
  // No route table and no NAT gateway: Azure takes neither a route to a firewall nor another way out.
  expect(subnets.at(-1)).toEqual({
    ...{ name: "AzureBastionSubnet", addressPrefix: "10.10.1.0/26" },
    networkSecurityGroup: { id: `${network}/networkSecurityGroups/test-bastion-nsg` },
  });
  // CAPZ neither makes nor knows it.
  expect(JSON.stringify(objectsOf(plan, "AzureCluster"))).not.toMatch(/bastion/i);
  expect(plan.cluster.quota.publicAddresses).toBe(
    (await planWith({ kind: "none" })).cluster.quota.publicAddresses + 1,
  );
  expect(plan.cluster.bill.map(({ price }) => price)).toContain("Azure Bastion Standard");
});

it("its security group has all rules that Azure wants, and lets in the users' public networks alone", async () => {
  const plan = await planWith(own);
  const rules = inputsOf(plan, "network-bastion-nsg").securityRules as Record<string, unknown>[];
  const text = ({ direction, protocol, ...rule }: Record<string, unknown>): string =>
    [
      direction,
      protocol,
      [rule.sourceAddressPrefix ?? rule.sourceAddressPrefixes].flat().join(","),
      rule.destinationAddressPrefix,
      [rule.destinationPortRange ?? rule.destinationPortRanges].flat().join(","),
    ].join(" ");
  // learn.microsoft.com, "Configure NSG rules for Azure Bastion", with the users instead of the tag Internet.
  expect(rules.map(text).sort()).toEqual([
    "Inbound * VirtualNetwork VirtualNetwork 8080,5701",
    "Inbound Tcp 203.0.113.0/24 * 443",
    "Inbound Tcp AzureLoadBalancer * 443",
    "Inbound Tcp GatewayManager * 443",
    "Outbound * * Internet 80",
    "Outbound * * VirtualNetwork 22,3389",
    "Outbound * VirtualNetwork VirtualNetwork 8080,5701",
    "Outbound Tcp * AzureCloud 443",
  ]);
  const priorities = rules.map(({ direction, priority }) => `${String(direction)} ${String(priority)}`);
  expect(new Set(priorities).size).toBe(rules.length);
});

const az = (verb: string, rest: string) =>
  `az network bastion ${verb} --name test-bastion --resource-group test --subscription 11111111-2222-4333-8444-555555555555 --target-ip-address ADDRESS ${rest}`;
const shell = az(
  "ssh",
  "--auth-type ssh-key --username capi --ssh-key PRIVATE-KEY  # ADDRESS: kubectl get nodes -o wide",
);

it("outputs, reports and the picture lead through it, and the rest of the stack has no port for ssh", async () => {
  const plan = await planWith(own);
  const { outputs } = plan.update;
  expect(outputs.wayIn).toEqual({
    ...{ kind: "bastion", name: "test-bastion", resourceGroup: "test", byAddress: true },
    subscriptionId: "11111111-2222-4333-8444-555555555555",
  });
  expect(outputs.controlPlane).toMatchObject({ ssh: shell });
  expect(outputs.pools).toMatchObject({
    linux1: { ssh: shell },
    win1: {
      ssh: shell,
      rdpTunnel: az("tunnel", "--resource-port 3389 --port 5555  # then RDP to localhost:5555"),
    },
  });
  expect(outputs.pools).not.toHaveProperty("linux1.rdpTunnel");
  expect(plan.cluster.apiServer.ssh).toBe(shell);
  expect(plan.cluster.pools.map(({ access }) => access.ssh)).toEqual([shell, shell]);
  expect(rowsOf(plan, "ssh and RDP")).toEqual([
    "203.0.113.0/24, through Azure Bastion test-bastion; no public port for ssh",
  ]);
  expect(rowsOf(plan, "Azure Bastion")).toEqual([
    "test-bastion in AzureBastionSubnet 10.10.1.0/26, with a public address",
  ]);
  expect(rowsOf(plan, "API server")[0]).toBe(
    "203.0.113.0/24, 10.60.0.0/24, the management cluster, the nodes",
  );
  expect(JSON.stringify(pictureOf(plan.cluster))).toContain("Azure Bastion test-bastion");
  expect(plan.cluster.rights.people).toContainEqual(
    expect.objectContaining({
      ...{ who: "npm run access", role: "Reader", scope: `${network}/bastionHosts/test-bastion` },
    }),
  );
  const rules = inputsOf(plan, "network-control-plane-nsg").securityRules as { name: string }[];
  expect(rules.map(({ name }) => name)).toEqual(["allow_apiserver"]);
});

it("a Bastion of others and a jump host make nothing, and shut the port for ssh, too", async () => {
  const peerings = {
    hub: {
      vnetId: bastionId.replace(/bastionHosts.*/, "virtualNetworks/hub"),
      addressSpaces: ["10.50.0.0/16"],
    },
  };
  for (const [bastion, ssh, text] of [
    [
      { kind: "existing", bastionId },
      shell
        .replace("test-bastion --resource-group test", "hub-bastion --resource-group hub")
        .replace("11111111-2222", "22222222-2222"),
      "through Azure Bastion hub-bastion of others; no public port for ssh",
    ],
    [
      { kind: "jumpHost", jumpHost: "ops@10.50.0.10:2222" },
      "ssh -J ops@10.50.0.10:2222 capi@ADDRESS  # ADDRESS: kubectl get nodes -o wide",
      "through the jump host ops@10.50.0.10; no public port for ssh",
    ],
  ] as const) {
    const plan = await planWith(bastion, { network: { bastion, peerings } });
    expect(typesOf(plan).filter((type) => type.includes("BastionHost"))).toEqual([]);
    expect(plan.cluster.pools.map(({ access }) => access.ssh)).toEqual([ssh, ssh]);
    expect(rowsOf(plan, "ssh and RDP")).toEqual([
      text,
      ...(bastion.kind === "existing"
        ? [
            "hub-bastion has the SKU Standard or Premium with enableTunneling and enableIpConnect, is in a VNET that is peered with test-vnet, and AzureBastionSubnet has no route table and no route 0.0.0.0/0 by a gateway or a Virtual WAN; routes of test-vnet to it do not lead to a firewall",
          ]
        : []),
    ]);
    expect(JSON.stringify(inputsOf(plan, "network-control-plane-nsg"))).not.toContain("allow_ssh");
    expect(plan.warnings.filter((line) => line.startsWith("network.bastion"))).toEqual([]);
  }
  expect((await planWith({ kind: "existing", bastionId })).warnings).toContainEqual(
    "network.bastion.bastionId: a Bastion reaches machines in its VNET and in peered ones, and network.peerings names none: peer with its VNET",
  );
});

it("the step before the removal keeps the subnet, and ssh goes through the control plane again", async () => {
  const plan = await planWith({ ...own, kind: "none" });
  expect(typesOf(plan).filter((type) => type.includes("Bastion"))).toEqual([]);
  expect(JSON.stringify(inputsOf(plan, "network-vnet"))).toContain("AzureBastionSubnet");
  expect(JSON.stringify(inputsOf(plan, "network-control-plane-nsg"))).toContain("allow_ssh");
  expect(plan.update.outputs).not.toHaveProperty("wayIn");
  expect(plan.cluster.pools[0]?.access.ssh).toMatch(/^ssh -J capi@/);
});

it("a private API server has public addresses for the way out and for the Bastion only, and says so", async () => {
  const plan = await planWith(own, {
    ...existingManagement,
    network: { bastion: own, apiServer: { private: true, dns: { manual: true } } },
  });
  expect(rowsOf(plan, "public addresses")).toEqual([
    "none for the API server; the NAT gateway's is for outbound traffic only; that of Azure Bastion is for ssh and RDP",
  ]);
});

it("the network team of an existing VNET gets a rule for the way in instead of one for ssh", async () => {
  const subnet = (name: string) =>
    `${network.replace("/test/", "/network/")}/virtualNetworks/spoke/subnets/${name}`;
  const existing = {
    ...{ controlPlaneSubnetId: subnet("control-plane"), nodeSubnetId: subnet("nodes") },
    ...{ nodeSecurityGroup: "nodes-nsg", egressCidrs: ["198.51.100.10/32"] },
  };
  const without = await planWith({}, { network: { existing } });
  expect((without.cluster.network.byOthers ?? []).join("\n")).toContain("allow_ssh");
  const plan = await planWith({}, { network: { bastion: { kind: "existing", bastionId }, existing } });
  const lines = plan.cluster.network.byOthers ?? [];
  expect(lines.join("\n")).not.toContain("allow_ssh");
  expect(lines).toContain(
    "nodes-nsg: allow_bastion (2206), inbound TCP, from BASTION-RANGE to 10.10.0.0/24, 10.10.128.0/17, port 22, 3389: from AzureBastionSubnet, or from the jump host",
  );
});
