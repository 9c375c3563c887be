import { hub } from "../config/peeringCases";
import type { Change } from "./armStandIn";
import { rowsOf, withAzure } from "./support";

/** The VNET with which a stack is peered, as Azure shows it. */

withAzure();

type Fields = Readonly<Record<string, unknown>>;

const ownVnet =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test/providers/Microsoft.Network/virtualNetworks/test-vnet";
const ownSide = `${ownVnet}/virtualNetworkPeerings/to-hub`;
const remoteId = `${hub.vnetId}/virtualNetworkPeerings/to-test`;
const command = `az network vnet peering create --subscription 22222222-2222-4333-8444-555555555555 --resource-group hub --vnet-name hub --name to-test --remote-vnet ${ownVnet} --allow-vnet-access`;

const side = (peeringState: string, more: Fields = {}, name = "to-test", remoteVnet = ownVnet) => ({
  ...{ name, id: `${hub.vnetId}/virtualNetworkPeerings/${name}` },
  properties: { peeringState, remoteVirtualNetwork: { id: remoteVnet }, ...more },
});
const gateway = { name: "GatewaySubnet", properties: { ipConfigurations: [{ id: "gateway" }] } };

const vnet = (properties: Fields = {}) => ({
  [hub.vnetId]: {
    properties: {
      addressSpace: { addressPrefixes: ["10.50.0.0/16"] },
      virtualNetworkPeerings: [],
      ...properties,
    },
  },
});
const own = (peeringState: string, more: Fields = {}) => ({
  [ownSide]: { name: "to-hub", id: ownSide, properties: { peeringState, ...more } },
});

/** Azure with some resources beside those of every stack. */
const azureWith =
  (resources: Readonly<Record<string, Fields>>, actions: readonly string[] = ["*"]): Change =>
  (_, { pathname }) => {
    if (pathname.startsWith(hub.vnetId) && pathname.endsWith("/Microsoft.Authorization/permissions")) {
      return { body: { value: [{ actions, notActions: [] }] } };
    }
    if (pathname.startsWith(hub.vnetId) && pathname.endsWith("/denyAssignments")) {
      return { body: { value: [] } };
    }
    const found = resources[pathname];
    return found && { body: found };
  };

const rows = async (resources: Record<string, Fields>, peering: Fields = {}): Promise<string[][]> =>
  (await rowsOf(azureWith(resources), { network: { peerings: { hub: { ...hub, ...peering } } } }))
    .filter(({ check }) => check === "peering hub")
    .map(({ state, found, remedy }) => [`${state}: ${found}`, ...remedy]);

it.each<[string, Record<string, Fields>, Fields, string[]]>([
  [
    "before the first deployment",
    vnet(),
    {},
    ["ok: hub is as the stack file says; its side is made by others, once `pulumi up` has made the VNET"],
  ],
  [
    "before the first deployment of both sides",
    vnet(),
    { remoteSide: "stack" },
    ["ok: hub is as the stack file says"],
  ],
  [
    "that is connected",
    { ...vnet({ virtualNetworkPeerings: [side("Connected")] }), ...own("Connected") },
    {},
    ["ok: Connected, and hub is as the stack file says"],
  ],
  [
    "with a VNET that does not exist",
    {},
    {},
    [
      "error: hub does not exist",
      "capz-windows:network: {peerings: {hub: {vnetId: ID}}}",
      `az network vnet show --ids ${hub.vnetId}`,
    ],
  ],
  [
    "without its other side",
    { ...vnet(), ...own("Initiated") },
    {},
    ["error: to-hub is Initiated: the other side does not exist, so nothing passes", command],
  ],
  [
    "whose other side was deleted",
    { ...vnet(), ...own("Disconnected") },
    {},
    [
      "error: to-hub is Disconnected: its other side was deleted, and Azure does not connect it again",
      `az network vnet peering delete --ids ${ownSide}`,
    ],
  ],
  [
    "whose own side was deleted",
    vnet({ virtualNetworkPeerings: [side("Disconnected")] }),
    {},
    [
      "error: to-test is Disconnected: its other side was deleted, and Azure does not connect it again",
      `az network vnet peering delete --ids ${remoteId}`,
    ],
  ],
  [
    "with more ranges",
    vnet({ addressSpace: { addressPrefixes: ["10.50.0.0/16", "192.168.7.0/24"] } }),
    {},
    [
      "error: hub also has 192.168.7.0/24, which nothing compares with pods and Services: the stack file does not say it",
      "capz-windows:network: {peerings: {hub: {addressSpaces: [10.50.0.0/16, 192.168.7.0/24]}}}",
    ],
  ],
  [
    "with a range that overlaps",
    vnet({ addressSpace: { addressPrefixes: ["10.50.0.0/16", "10.10.7.0/24"] } }),
    {},
    [
      "error: hub also has 10.10.7.0/24, which overlaps 10.10.0.0/16 of the stack: Azure refuses the peering",
      "capz-windows:network: {vnetCidr: A-FREE-RANGE}",
    ],
  ],
  [
    "with fewer ranges",
    vnet(),
    { addressSpaces: ["10.50.0.0/16", "10.60.0.0/16"] },
    [
      "warning: hub has no 10.60.0.0/16, which the stack file says",
      "capz-windows:network: {peerings: {hub: {addressSpaces: [10.50.0.0/16]}}}",
    ],
  ],
  [
    "of a hub with a spoke that overlaps",
    vnet({
      virtualNetworkPeerings: [
        side("Connected", { remoteAddressSpace: { addressPrefixes: ["10.10.0.0/20"] } }, "to-red", "/red"),
      ],
    }),
    {},
    [
      "error: hub is peered by to-red with a VNET that has 10.10.0.0/20, which overlaps 10.10.0.0/16 of the stack: Azure does not peer a VNET with two that overlap",
      "capz-windows:network: {vnetCidr: A-FREE-RANGE}",
    ],
  ],
  [
    "that the stack does not know",
    vnet({ virtualNetworkPeerings: [side("Initiated", {}, "by-hand")] }),
    { remoteSide: "stack" },
    [
      "error: hub has a side of this peering already, by-hand, which the stack does not know: Azure has one peering between two VNETs",
      "capz-windows:network: {peerings: {hub: {remoteSide: manual}}}",
    ],
  ],
  [
    "by a gateway that is not there",
    vnet({ subnets: [{ name: "GatewaySubnet", properties: {} }] }),
    { useRemoteGateways: true, remoteSide: "stack" },
    [
      "error: hub has no gateway in a GatewaySubnet, so Azure refuses useRemoteGateways",
      "capz-windows:network: {peerings: {hub: {useRemoteGateways: false}}}",
    ],
  ],
  [
    "by a gateway, before the other side",
    vnet({ subnets: [gateway] }),
    { useRemoteGateways: true },
    [
      "error: the other side does not exist, and Azure refuses useRemoteGateways until it allows gateway transit",
      "capz-windows:network: {peerings: {hub: {useRemoteGateways: false}}}   # until it exists",
      `${command} --allow-gateway-transit`,
    ],
  ],
  [
    "by a gateway that the other side keeps to itself",
    { ...vnet({ subnets: [gateway], virtualNetworkPeerings: [side("Connected")] }), ...own("Connected") },
    { useRemoteGateways: true },
    [
      "error: the other side, to-test, does not allow gateway transit, so Azure refuses useRemoteGateways",
      `az network vnet peering update --ids ${remoteId} --set allowGatewayTransit=true`,
    ],
  ],
  [
    "by a gateway",
    {
      ...vnet({
        subnets: [gateway],
        virtualNetworkPeerings: [side("Connected", { allowGatewayTransit: true })],
      }),
      ...own("Connected"),
    },
    { useRemoteGateways: true },
    ["ok: Connected, and hub is as the stack file says"],
  ],
])("reads a peering %s", async (_, resources, peering, expected) => {
  expect(await rows(resources, peering)).toEqual([expected]);
});

it("whoever runs up must be allowed to peer, and for both sides to write peerings there", async () => {
  const missing = async (remoteSide: string) =>
    (await rowsOf(azureWith(vnet(), ["*/read"]), { network: { peerings: { hub: { ...hub, remoteSide } } } }))
      .filter(({ check, found }) => check === "roles" && found.includes("VNET hub"))
      .map(({ found }) => found);
  expect(await missing("manual")).toEqual([
    "this login lacks Microsoft.Network/virtualNetworks/peer/action on the VNET hub",
  ]);
  expect(await missing("stack")).toEqual([
    "this login lacks Microsoft.Network/virtualNetworks/peer/action, Microsoft.Network/virtualNetworks/virtualNetworkPeerings/write, Microsoft.Network/virtualNetworks/virtualNetworkPeerings/delete on the VNET hub",
  ]);
});
