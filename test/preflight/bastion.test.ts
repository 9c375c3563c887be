import { publicKey } from "../support/stacks";
import type { Change } from "./armStandIn";
import { rowsOf, withAzure } from "./support";

/** The Azure Bastion of others, and the subnet of one of the stack, as Azure shows them. */

withAzure();

type Fields = Readonly<Record<string, unknown>>;

const id =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/bastionHosts/hub-bastion";
const azureWith =
  (resources: Readonly<Record<string, Fields>>): Change =>
  (_, { pathname }) => {
    const found = resources[pathname];
    return found && { body: found };
  };

const rows = async (found: Record<string, Fields>): Promise<string[][]> =>
  (await rowsOf(azureWith(found), { network: { bastion: { kind: "existing", bastionId: id } } }))
    .filter(({ check }) => check === "Azure Bastion")
    .map(({ state, found, remedy }) => [`${state}: ${found}`, ...remedy]);

it.each<[string, Record<string, Fields>, string[]]>([
  [
    "that is right",
    { [id]: { sku: { name: "Standard" }, properties: { enableTunneling: true, enableIpConnect: true } } },
    ["ok: hub-bastion connects to private addresses"],
  ],
  [
    "that does not exist",
    {},
    [
      "error: hub-bastion does not exist",
      "capz-windows:network: {bastion: {bastionId: ID}}",
      `az resource show --ids ${id}`,
    ],
  ],
  [
    "without connections by address",
    { [id]: { sku: { name: "Premium" }, properties: { enableTunneling: true } } },
    [
      "warning: hub-bastion has no enableIpConnect, so ssh and RDP by private address are refused",
      `az resource update --ids ${id} --set properties.enableIpConnect=true`,
    ],
  ],
  [
    "of a smaller SKU",
    { [id]: { sku: { name: "Basic" }, properties: {} } },
    [
      "warning: hub-bastion has the SKU Basic, no enableTunneling, no enableIpConnect, so ssh and RDP by private address are refused",
      `az resource update --ids ${id} --set sku.name=Standard properties.enableTunneling=true properties.enableIpConnect=true`,
    ],
  ],
])("reads a Bastion %s", async (_, found, expected) => {
  expect(await rows(found)).toEqual([expected]);
});

const own = {
  access: { sshPublicKey: publicKey, allowedCidrs: ["203.0.113.0/24"] },
  network: { bastion: { kind: "stack", range: "10.10.1.0/26" } },
};
const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/test";

it("compares the range of AzureBastionSubnet with the one that is there", async () => {
  const change = azureWith({
    [group]: { location: "westeurope", properties: { provisioningState: "Succeeded" } },
    [`${group}/providers/Microsoft.Network/virtualNetworks/test-vnet`]: {
      properties: {
        addressSpace: { addressPrefixes: ["10.10.0.0/16"] },
        subnets: [{ name: "AzureBastionSubnet", properties: { addressPrefix: "10.10.2.0/26" } }],
      },
    },
  });
  const found = (await rowsOf(change, own)).filter(
    ({ check, state }) => check === "network" && state === "error",
  );
  expect(found.map(({ remedy }) => remedy)).toEqual([
    ["capz-windows:network: {bastion: {range: 10.10.2.0/26}}"],
  ]);
});

it("whoever runs up must be allowed to make it", async () => {
  const change: Change = (_, { pathname }) =>
    pathname.endsWith("/Microsoft.Authorization/permissions")
      ? { body: { value: [{ actions: ["*"], notActions: ["Microsoft.Network/bastionHosts/*"] }] } }
      : undefined;
  const found = (await rowsOf(change, own)).filter(({ check }) => check === "roles");
  expect(found.map(({ found }) => found)).toEqual([
    "this login lacks Microsoft.Network/bastionHosts/write on the subscription",
  ]);
});
