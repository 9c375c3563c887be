import { capzResources } from "../../commands/preflight/planned/capz";
import { pulumiResources } from "../../commands/preflight/planned/planned";
import type { Change } from "./armStandIn";
import { at, refused } from "./findings";
import { azure, planOf, rowsOf, withAzure, worst } from "./support";

/** A VNET of the network team, as Azure shows it. */

withAzure();

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const inNetwork = `${subscription}/resourceGroups/network/providers/Microsoft.Network`;
const vnet = `${inNetwork}/virtualNetworks/spoke`;
const nodes = `${vnet}/subnets/snet-nodes`;
const group = (name: string): string => `${inNetwork}/networkSecurityGroups/${name}`;

const existing = {
  controlPlaneSubnetId: `${vnet}/subnets/snet-cp`,
  nodeSubnetId: nodes,
  nodeSecurityGroup: "nsg-nodes",
  controlPlaneSecurityGroup: "nsg-cp",
  egressCidrs: ["198.51.100.10/32"],
};
const network = {
  vnetCidr: "10.40.0.0/20",
  controlPlaneSubnetCidr: "10.40.0.0/26",
  nodeSubnetCidr: "10.40.4.0/22",
  existing,
};
const twoPools = {
  ...network,
  poolSubnets: { web: "10.40.8.0/23" },
  existing: { ...existing, poolSubnetIds: { web: `${vnet}/subnets/snet-web` } },
};

type Fields = Readonly<Record<string, unknown>>;

/** Azure with the VNET; some properties are others, and a subnet whose properties are `undefined` is not there. */
const azureWith =
  (others: Readonly<Record<string, Fields | undefined>> = {}, location = "westeurope"): Change =>
  (_, { pathname }) => {
    if (pathname.endsWith("/providers/Microsoft.Authorization/permissions")) {
      return { body: { value: [{ actions: ["*"], notActions: [] }] } };
    }
    if (pathname === vnet) {
      return { body: { location, properties: {} } };
    }
    const name = pathname.startsWith(`${vnet}/subnets/`) ? (pathname.split("/").at(-1) ?? "") : "";
    const usual: Readonly<Record<string, Fields>> = {
      "snet-cp": { addressPrefix: "10.40.0.0/26", networkSecurityGroup: { id: group("nsg-cp") } },
      "snet-nodes": {
        ...{ addressPrefixes: ["10.40.4.0/22"], networkSecurityGroup: { id: group("NSG-nodes") } },
        natGateway: { id: "nat" },
      },
      "snet-web": {
        ...{ addressPrefix: "10.40.8.0/23", networkSecurityGroup: { id: group("nsg-nodes") } },
        routeTable: { id: "routes" },
      },
    };
    return usual[name] === undefined || (name in others && others[name] === undefined)
      ? undefined
      : { body: { properties: { ...usual[name], ...others[name] } } };
  };

const found = async (change: Change, more: Fields = { network }) =>
  (await rowsOf(change, more))
    .filter(({ state }) => state !== "ok")
    .map(({ state, check, found: text, remedy }) => [`${state} ${check}: ${text}`, ...remedy]);

const update = `az network vnet subnet update --ids ${nodes}`;

it("nothing stands in the way where it is as the stack file says", async () => {
  const rows = await rowsOf(azureWith(), { network: twoPools });
  expect(worst(rows)).toEqual([]);
  expect(
    rows.filter(({ check }) => /network|subnet|group/.test(check)).map(({ found: text }) => text),
  ).toEqual([
    "test will be created",
    "spoke is in westeurope",
    "snet-cp is as the stack file says",
    "snet-nodes is as the stack file says",
    "snet-web is as the stack file says",
  ]);
  expect(azure.asked.filter((asked) => /virtualNetworks(\/test-vnet)? /.test(asked))).toEqual([]);
});

it("Azure Policy is asked about no network of the stack's own, and about machines in the subnets of the VNET", async () => {
  const windowsPools = { win1: { subnet: "web" }, win2: { kind: "MachineDeployment" } };
  const { resources, cluster } = await planOf({ network: twoPools, windowsPools });
  const machines = capzResources(resources, cluster, ["1"]);
  const own = /\/(virtualNetworks|subnets|networkSecurityGroups|natGateways|routeTables|publicIPAddresses)$/;
  expect(
    [...pulumiResources(resources), ...machines]
      .filter(({ type, within }) => own.test(type) && within.endsWith("/test"))
      .map(({ name }) => name),
  ).toEqual(["pip-test-apiserver"]);
  const ids = JSON.stringify(machines).match(/[^"]+\/subnets\/[^"]+/g) ?? [];
  expect([...new Set(ids)].sort()).toEqual([
    existing.controlPlaneSubnetId,
    nodes,
    twoPools.existing.poolSubnetIds.web,
  ]);
});

it.each<[string, Record<string, Fields | undefined>, string[]]>([
  [
    "a subnet that is not there",
    { "snet-nodes": undefined },
    [
      "error subnet snet-nodes: snet-nodes is not in the VNET spoke",
      "capz-windows:network: {existing: {nodeSubnetId: ID}}",
      `az resource show --ids ${nodes}`,
    ],
  ],
  [
    "another range",
    { "snet-nodes": { addressPrefixes: ["10.40.4.0/23"] } },
    [
      "error subnet snet-nodes: snet-nodes has 10.40.4.0/23, and the stack file says 10.40.4.0/22",
      "capz-windows:network: {nodeSubnetCidr: 10.40.4.0/23}",
    ],
  ],
  [
    "a second range",
    { "snet-nodes": { addressPrefixes: ["10.40.4.0/22", "10.40.12.0/24", "fd00::/64"] } },
    [
      "error subnet snet-nodes: snet-nodes has 10.40.4.0/22, 10.40.12.0/24, and the stack file says 10.40.4.0/22",
      "capz-windows:network: {existing: {nodeSubnetId: ID   # of a subnet with one range}}",
    ],
  ],
  [
    "a delegated subnet",
    { "snet-nodes": { delegations: [{ properties: { serviceName: "Microsoft.Web/serverFarms" } }] } },
    [
      "error subnet snet-nodes: snet-nodes is delegated to Microsoft.Web/serverFarms, so machines cannot use it",
      `${update} --remove delegations`,
      "capz-windows:network: {existing: {nodeSubnetId: ID}}",
    ],
  ],
  [
    "no security group",
    { "snet-nodes": { networkSecurityGroup: undefined } },
    [
      "error subnet snet-nodes: snet-nodes has no security group, and the stack file says nsg-nodes",
      `${update} --network-security-group ${group("nsg-nodes")}`,
    ],
  ],
  [
    "another security group",
    { "snet-nodes": { networkSecurityGroup: { id: group("nsg-web") } } },
    [
      "error subnet snet-nodes: snet-nodes has the security group nsg-web, and the stack file says nsg-nodes",
      `${update} --network-security-group ${group("nsg-nodes")}`,
      "capz-windows:network: {existing: {nodeSecurityGroup: nsg-web}}",
    ],
  ],
  [
    "a security group of the same name in another resource group",
    { "snet-nodes": { networkSecurityGroup: { id: group("nsg-nodes").replace("network", "hub") } } },
    [
      `error subnet snet-nodes: snet-nodes has the security group ${group("nsg-nodes").replace("network", "hub")}, and the stack file says ${group("nsg-nodes")}`,
      `${update} --network-security-group ${group("nsg-nodes")}`,
    ],
  ],
  [
    "no way out",
    { "snet-nodes": { natGateway: undefined } },
    [
      "warning subnet snet-nodes: snet-nodes has neither a NAT gateway nor a route table: its machines reach the Internet only if something else in the VNET lets them out",
      `${update} --nat-gateway NAT-GATEWAY-ID`,
      `${update} --route-table ROUTE-TABLE-ID`,
    ],
  ],
  [
    "addresses that are taken",
    { "snet-cp": { ipConfigurations: Array.from({ length: 57 }, () => ({})) } },
    [
      "warning subnet snet-cp: snet-cp has 59 addresses, 57 are taken, and the cluster needs 4 (machines, those of a rollout, and an internal load balancer): that is enough only if the others are its own",
      "capz-windows:network: {existing: {controlPlaneSubnetId: ID   # of a larger subnet}}",
    ],
  ],
])("%s is reported with its remedy", async (_, others, row) => {
  expect(await found(azureWith(others))).toEqual([row]);
});

it.each([
  ["no route table", undefined, "no route table, and the stack file says rt", undefined],
  [
    "another route table",
    `${inNetwork}/routeTables/hub`,
    `the route table ${inNetwork}/routeTables/hub, and the stack file says ${inNetwork}/routeTables/rt`,
    "hub",
  ],
])("%s than the stack file says", async (_, id, text, key) => {
  const withTable = { ...network, existing: { ...existing, routeTable: "rt" } };
  const right = { routeTable: { id: `${inNetwork}/routeTables/RT` } };
  const real = id === undefined ? {} : { routeTable: { id } };
  expect(await found(azureWith({ "snet-cp": right, "snet-nodes": right }), { network: withTable })).toEqual(
    [],
  );
  expect(await found(azureWith({ "snet-cp": right, "snet-nodes": real }), { network: withTable })).toEqual([
    [
      `warning subnet snet-nodes: snet-nodes has ${text}`,
      `${update} --route-table ${inNetwork}/routeTables/rt`,
      ...(key === undefined ? [] : [`capz-windows:network: {existing: {routeTable: ${key}}}`]),
    ],
  ]);
});

it("another group of one of several subnets is no reason to name it for all of them", async () => {
  const others = { "snet-web": { networkSecurityGroup: { id: group("nsg-web") } } };
  expect(await found(azureWith(others), { network: twoPools })).toEqual([
    [
      "error subnet snet-web: snet-web has the security group nsg-web, and the stack file says nsg-nodes",
      `az network vnet subnet update --ids ${vnet}/subnets/snet-web --network-security-group ${group("nsg-nodes")}`,
    ],
  ]);
});

it("machines with a proxy need no other way out", async () => {
  const proxy = { url: "http://proxy.example.com:3128" };
  expect(await found(azureWith({ "snet-nodes": { natGateway: undefined } }), { network, proxy })).toEqual([]);
});

it("a VNET of another region", async () => {
  expect(await found(azureWith({}, "northeurope"))).toEqual([
    [
      "error network: spoke is in northeurope, and the stack is in westeurope: Azure attaches machines only to VNETs of their own region",
      "capz-windows:azure: {location: northeurope}",
      "capz-windows:network: {existing: {...}   # subnets of a VNET in westeurope}",
    ],
  ]);
});

it("a subnet that may not be read is not one that is not there, and hides nothing about the others", async () => {
  const usual = azureWith({ "snet-cp": { delegations: [{ name: "d" }] } });
  const change: Change = (method, url, body) =>
    at(/\/subnets\/snet-nodes$/, () => refused(403, "AuthorizationFailed"))(method, url, body) ??
    usual(method, url, body);
  expect((await found(change)).map(([text]) => text)).toEqual([
    "error subnet snet-cp: snet-cp is delegated to d, so machines cannot use it",
    "unknown subnet snet-nodes: this login is not authorized to read this: AuthorizationFailed",
  ]);
});

it("a resource group without the identity of the control plane is somebody else's", async () => {
  const usual = azureWith();
  const inGroup =
    (identity: boolean): Change =>
    (method, url, body) =>
      url.pathname.endsWith("/resourceGroups/test") ||
      (identity && url.pathname.endsWith("/test-control-plane"))
        ? { body: { location: "westeurope", properties: {} } }
        : url.pathname.endsWith("/checkPolicyRestrictions")
          ? { body: {} }
          : usual(method, url, body);
  expect(await found(inGroup(true))).toEqual([]);
  expect((await found(inGroup(false))).map(([text]) => text)).toEqual([
    "warning resource group: test exists without test-control-plane: `up` creates the group itself, and fails if the group exists and is not in the stack's state",
  ]);
});

it("rights: none to make a network, and those to assign roles on subnets and the security group", async () => {
  const usual = azureWith();
  const change: Change = (method, url, body) =>
    url.pathname.endsWith("/permissions")
      ? {
          body: {
            value: url.pathname.includes("/resourceGroups/network/")
              ? [{ actions: ["*/read"], notActions: [] }]
              : [
                  {
                    actions: ["*"],
                    notActions: ["Microsoft.Network/virtualNetworks/*", "Microsoft.Network/natGateways/*"],
                  },
                ],
          },
        }
      : usual(method, url, body);
  const lacks = (id: string, called: string): string[] => [
    `error roles: this login lacks Microsoft.Authorization/roleAssignments/write on ${called}`,
    `az role assignment create --role "Role Based Access Control Administrator" --assignee YOU --scope ${id}`,
  ];
  expect(await found(change)).toEqual([
    lacks(existing.controlPlaneSubnetId, "the subnet snet-cp"),
    lacks(nodes, "the subnet snet-nodes"),
    lacks(group("nsg-nodes"), "the security group nsg-nodes"),
  ]);
});
