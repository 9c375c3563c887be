import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import type { Plan } from "../../plan/model/plan";
import { planFileInline, updateFileInline } from "../support/inlinePlans";
import { expectAfter, inputsOf, rowsOf } from "../support/plans";
import { readExample } from "../support/stacks";

/** The VNET of a client with a private API server, and that of the management cluster of another stack. */

const stack = "organization/capz-windows/platform";
const vnetId =
  "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/platform-management/providers/Microsoft.Network/virtualNetworks/platform-management-vnet";
const ownVnet =
  "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/team-a/providers/Microsoft.Network/virtualNetworks/team-a-vnet";
const command = `az network vnet peering create --subscription 00000000-0000-0000-0000-000000000001 --resource-group platform-management --vnet-name platform-management-vnet --name to-team-a --remote-vnet ${ownVnet} --allow-vnet-access`;

/** Beside test/support/sharing/Pulumi.platform.yaml, whose plan answers for that stack. */
function client(peering: string, network: object = {}, of = stack): Promise<Plan> {
  const file = readExample("team-a");
  const own = { vnetCidr: "10.20.0.0/16", apiServer: { private: true }, ...network };
  return updateFileInline({
    ...file,
    file: "test/support/sharing/Pulumi.client.yaml",
    config: {
      ...file.config,
      "capz-windows:management": JSON.stringify({ kind: "stack", stack: of, peering }),
      "capz-windows:network": JSON.stringify(own),
    },
  });
}

const named = ({ update }: Plan, prefix: string): string[] =>
  update.resources
    .map(({ name }) => name)
    .filter((name) => name.startsWith(prefix))
    .sort();

const path = ({ cluster }: Plan, from: string) =>
  cluster.reach.find((one) => one.from === from && one.to === "API server")?.state;

it("is peered from both sides and linked to the zone, with the ARM ID of the other stack's outputs", async () => {
  const plan = await client("stack");
  const peering = "peering-management-cluster";
  expect(named(plan, "peering")).toEqual(["peering", peering, `${peering}-provider`, `${peering}-remote`]);
  expect(inputsOf(plan, `${peering}-provider`).subscriptionId).toBe(resourceParts(vnetId).subscriptionId);
  expect(inputsOf(plan, peering)).toMatchObject({
    ...{ virtualNetworkName: "team-a-vnet", virtualNetworkPeeringName: "to-management-cluster" },
    ...{ remoteVirtualNetwork: { id: vnetId }, allowForwardedTraffic: false, useRemoteGateways: false },
  });
  expect(inputsOf(plan, `${peering}-remote`)).toMatchObject({
    ...{ resourceGroupName: "platform-management", virtualNetworkName: "platform-management-vnet" },
    ...{ virtualNetworkPeeringName: "to-team-a", remoteVirtualNetwork: { id: ownVnet } },
  });
  expect(inputsOf(plan, "api-server-link-management")).toMatchObject({
    ...{ virtualNetworkLinkName: "team-a-management", virtualNetwork: { id: vnetId } },
  });
  expectAfter(plan, "cluster-cluster", [peering, "api-server-link-management"]);
  expect(JSON.stringify(inputsOf(plan, "network-control-plane-nsg").securityRules)).toContain("10.50.0.0/24");
  expect(rowsOf(plan, "peering management-cluster")).toContain(`as to-management-cluster with ${vnetId}`);
  expect(path(plan, "management cluster")).toBe("open");
  const rights = plan.cluster.rights.people.filter(({ scope }) => scope === vnetId);
  const vnet = "Microsoft.Network/virtualNetworks";
  const inVnet = `${vnet}/virtualNetworkPeerings`;
  expect(rights.map(({ role, actions }) => [role, actions])).toEqual([
    [
      "Network Contributor",
      [
        ...["join/action", "peer/action", "read"].map((end) => `${vnet}/${end}`),
        ...["delete", "read", "write"].map((end) => `${inVnet}/${end}`),
      ],
    ],
    ["Reader", [`${vnet}/read`, `${inVnet}/read`]],
  ]);
});

it("has the command for the other side, where others make that", async () => {
  const hub = { vnetId: vnetId.replace("platform-management-vnet", "hub"), addressSpaces: ["10.60.0.0/16"] };
  const plan = await client("manual", { peerings: { hub } });
  expect(named(plan, "peering")).toEqual(["peering", "peering-hub", "peering-management-cluster"]);
  expect(rowsOf(plan, "peering management-cluster").at(-1)).toEqual({ command });
  expect(plan.update.outputs.peeringCommands).toBe(
    [command.replace("platform-management-vnet", "hub"), command].join("\n"),
  );
});

it("is linked only, where others peer the VNETs", async () => {
  const plan = await client("others");
  expect(named(plan, "peering")).toEqual([]);
  expect(named(plan, "api-server-link")).toEqual(["api-server-link-management", "api-server-link-vnet"]);
  expect(rowsOf(plan, "management")).toEqual([
    "others peer this VNET with platform-management-vnet of the management cluster, or route between the two:",
    vnetId,
  ]);
});

const of = `the management cluster of the stack ${stack}`;

it.each([
  [
    "overlaps",
    { vnetCidr: "10.50.0.0/20" },
    `network.vnetCidr: 10.50.0.0/20 overlaps 10.50.0.0/24 of the VNET of ${of}, which reaches the API server from there. Write a range that does not, or make another management stack`,
  ],
  [
    "is peered by hand, too",
    { peerings: { hub: { vnetId: vnetId.toUpperCase(), addressSpaces: ["10.60.0.0/24"] } } },
    `network.peerings.hub: has the VNET of ${of}, too (${vnetId}), and Azure takes one peering or link of it. Remove it there, or remove peering from management`,
  ],
  [
    "is linked by hand, too",
    { apiServer: { private: true, linkedVnetIds: [vnetId] } },
    `network.apiServer.linkedVnetIds: has the VNET of ${of}, too (${vnetId}), and Azure takes one peering or link of it. Remove it there, or remove peering from management`,
  ],
])("a VNET that %s is refused", async (_, network, message) => {
  await expect(client("stack", network)).rejects.toThrow(message);
});

it("a management stack in a VNET of AKS is refused, and in a client of a stack without a file the ID is simulated", async () => {
  const example = readExample("team-a");
  const config = {
    ...example.config,
    "capz-windows:management": JSON.stringify({
      ...{ kind: "stack", stack: "organization/capz-windows/management", peering: "stack" },
    }),
    "capz-windows:network": JSON.stringify({ apiServer: { private: true } }),
  };
  await expect(planFileInline({ ...example, config })).rejects.toThrow(
    "management.peering: the management cluster of the stack organization/capz-windows/management is in no VNET that can be peered: its output managementVnetId is missing. A new management stack with network in management of its stack file has one (docs/shared-management.md#in-a-private-network)",
  );
  const plan = await client("stack", {}, "acme/other/platform");
  expect(inputsOf(plan, "peering-management-cluster").remoteVirtualNetwork).toMatchObject({
    id: expect.stringContaining("/virtualNetworks/simulated") as string,
  });
  expect(plan.warnings.join()).toContain("so the plan simulates the outputs of acme/other/platform");
});
