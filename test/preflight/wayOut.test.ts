import { privateOutbound } from "../config/outboundCases";
import type { Change } from "./armStandIn";
import { rowsOf, withAzure } from "./support";

/** A NAT gateway or a route table of others, as Azure shows it. */

withAzure();

const group = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups";
const inNetwork = `${group}/network/providers/Microsoft.Network`;
const natGatewayId = `${inNetwork}/natGateways/natgw`;
const routeTableId = `${inNetwork}/routeTables/rt`;
const address = `${inNetwork}/publicIPAddresses/one`;
const prefix = `${inNetwork}/publicIPPrefixes/two`;

type Fields = Readonly<Record<string, unknown>>;

/** Azure with some resources beside those of every stack. */
const azureWith =
  (resources: Readonly<Record<string, Fields>>, actions: readonly string[] = ["*"]): Change =>
  (_, { pathname }) => {
    if (pathname.startsWith(inNetwork) && pathname.endsWith("/Microsoft.Authorization/permissions")) {
      return { body: { value: [{ actions, notActions: [] }] } };
    }
    const found = resources[pathname];
    return found && { body: { location: "westeurope", ...found } };
  };

const addresses = {
  [address]: { properties: { ipAddress: "198.51.100.10" } },
  [prefix]: { properties: { ipPrefix: "198.51.100.16/31" } },
};
const gateway = (properties: Fields = {}, more: Fields = {}) => ({
  ...addresses,
  [natGatewayId]: {
    properties: {
      publicIpAddresses: [{ id: address }],
      publicIpPrefixes: [{ id: prefix }],
      subnets: [
        { id: `${group}/TEST/providers/Microsoft.Network/virtualNetworks/test-vnet/subnets/node-subnet` },
      ],
      ...properties,
    },
    ...more,
  },
});
const nat = (...egressCidrs: string[]) => ({
  network: { outbound: { type: "existingNat", natGatewayId, egressCidrs } },
});
const whole = nat("198.51.100.10/32", "198.51.100.16/30");

const wayOut = async (change: Change, more: Fields): Promise<string[][]> =>
  (await rowsOf(change, more))
    .filter(({ check }) => check === "way out" || check === "roles")
    .map(({ state, check, found, remedy }) => [`${state} ${check}: ${found}`, ...remedy]);

const rightful = [
  "ok roles: this login may do everything that `pulumi up` does",
  "Not asked: conditions of role assignments, and roles that must be activated first.",
];

it("a gateway is as the stack file says", async () => {
  expect(await wayOut(azureWith(gateway()), whole)).toEqual([
    rightful,
    ["ok way out: natgw is as the stack file says"],
  ]);
});

it("a stack with its own gateway has no such row", async () => {
  expect(await wayOut(azureWith({}), {})).toEqual([rightful]);
});

it.each<[string, Record<string, Fields>, Fields, string[]]>([
  [
    "that does not exist",
    {},
    whole,
    [
      "error way out: natgw does not exist",
      "capz-windows:network: {outbound: {natGatewayId: ID}}",
      `az resource show --ids ${natGatewayId}`,
    ],
  ],
  [
    "in another region",
    gateway({}, { location: "North Europe" }),
    whole,
    [
      "error way out: natgw is in northeurope, and the stack is in westeurope: Azure attaches it only to subnets in the same region",
      "capz-windows:network: {outbound: {natGatewayId: ID   # of one in westeurope}}",
    ],
  ],
  [
    "of another VNET",
    gateway({ subnets: [{ id: `${inNetwork}/virtualNetworks/other/subnets/a` }] }),
    whole,
    [
      "error way out: natgw is attached to subnets of other, and Azure attaches a NAT gateway to one VNET only",
      "capz-windows:network: {outbound: {natGatewayId: ID   # of one that no other VNET has}}",
    ],
  ],
  [
    "with more addresses",
    gateway(),
    nat("198.51.100.10/32"),
    [
      "error way out: natgw also has 198.51.100.16/31, and the stack file says 198.51.100.10/32: the security group would not let nodes reach the API server from there",
      "capz-windows:network: {outbound: {egressCidrs: [198.51.100.10/32, 198.51.100.16/31]}}",
    ],
  ],
  [
    "without addresses",
    gateway({ publicIpAddresses: [], publicIpPrefixes: [] }),
    whole,
    [
      "error way out: natgw has no public address, so nothing leaves through it",
      `az network nat gateway update --ids ${natGatewayId} --public-ip-addresses PUBLIC-IP-ID`,
    ],
  ],
])("finds a gateway %s", async (_, resources, more, expected) => {
  expect((await wayOut(azureWith(resources), more)).filter(([text]) => text?.includes(" way out:"))).toEqual([
    expected,
  ]);
});

it("more addresses are only a warning where nodes come to the API server by their own", async () => {
  const { outbound } = nat("198.51.100.10/32").network;
  const rows = await wayOut(azureWith(gateway()), privateOutbound(outbound));
  expect(rows.map(([text]) => text)).toContain(
    "warning way out: natgw also has 198.51.100.16/31, and the stack file says 198.51.100.10/32",
  );
});

const routes = (...list: Fields[]) => ({ [routeTableId]: { properties: { routes: list } } });
const route = (nextHopType: string) => ({
  name: "all",
  properties: { addressPrefix: "0.0.0.0/0", nextHopType },
});
const firewall = privateOutbound({ type: "firewall", routeTableId });
const command = (verb: string, name: string) =>
  `az network route-table route ${verb} --resource-group network --route-table-name rt --name ${name} --address-prefix 0.0.0.0/0 --next-hop-type VirtualAppliance --next-hop-ip-address FIREWALL-ADDRESS`;

it.each<[string, Record<string, Fields>, string[]]>([
  ["to a firewall", routes(route("VirtualAppliance")), ["ok way out: rt is as the stack file says"]],
  ["to a gateway", routes(route("VirtualNetworkGateway")), ["ok way out: rt is as the stack file says"]],
  [
    "to the Internet",
    routes(route("Internet")),
    [
      "error way out: rt leads 0.0.0.0/0 to Internet, and not to a firewall: machines have no public address, so nothing leaves",
      command("update", "all"),
    ],
  ],
  [
    "to nowhere",
    routes(),
    [
      "warning way out: rt has no route 0.0.0.0/0: machines leave only where a gateway announces one by BGP",
      command("create", "to-firewall"),
    ],
  ],
])("reads where a route table leads: %s", async (_, resources, expected) => {
  expect(
    (await wayOut(azureWith(resources), firewall)).filter(([text]) => text?.includes(" way out:")),
  ).toEqual([expected]);
});

it("whoever runs up must be allowed to attach them", async () => {
  const readers = ["*/read"];
  const missing = async (resources: Record<string, Fields>, more: Fields) =>
    (await wayOut(azureWith(resources, readers), more))
      .map(([text]) => text)
      .filter((text) => text?.includes("lacks"));
  expect(await missing(gateway(), whole)).toEqual([
    "error roles: this login lacks Microsoft.Network/natGateways/join/action on the NAT gateway natgw",
  ]);
  expect(await missing(routes(route("VirtualAppliance")), firewall)).toEqual([
    "error roles: this login lacks Microsoft.Network/routeTables/join/action on the route table rt",
  ]);
});
