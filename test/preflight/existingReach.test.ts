import type { Change } from "./armStandIn";
import { rowsOf, withAzure } from "./support";

/** Who reaches whom in a VNET of the network team, by what Azure says of it. */

withAzure();

const inNetwork =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network";
const vnet = `${inNetwork}/virtualNetworks/spoke`;

const network = {
  vnetCidr: "10.40.0.0/20",
  controlPlaneSubnetCidr: "10.40.0.0/26",
  nodeSubnetCidr: "10.40.4.0/22",
  existing: {
    ...{ controlPlaneSubnetId: `${vnet}/subnets/snet-cp`, nodeSubnetId: `${vnet}/subnets/snet-nodes` },
    ...{ nodeSecurityGroup: "nsg-nodes", controlPlaneSecurityGroup: "nsg-cp" },
    ...{ routeTable: "rt", egressCidrs: ["198.51.100.10/32"] },
  },
};

type Fields = Readonly<Record<string, unknown>>;

const rule = (name: string, priority: number, more: Fields) => ({
  name,
  properties: {
    ...{ priority, access: "Allow", direction: "Inbound", protocol: "Tcp", sourcePortRange: "*" },
    ...{ sourceAddressPrefix: "*", destinationAddressPrefix: "*", destinationPortRange: "*", ...more },
  },
});

const own = [
  rule("people", 200, { sourceAddressPrefix: "203.0.113.0/24", destinationPortRange: "22" }),
  rule("api", 201, {
    sourceAddressPrefix: undefined,
    sourceAddressPrefixes: ["203.0.113.0/24", "198.51.100.10/32", "198.51.100.4/32"],
    destinationPortRange: "6443",
  }),
];

/** Azure with the VNET, and one more rule or route. */
const azureWith =
  ({
    controlPlane = [],
    nodes = [],
    routes = [],
    address = "198.51.100.10",
  }: {
    controlPlane?: unknown[];
    nodes?: unknown[];
    routes?: unknown[];
    address?: string;
  } = {}): Change =>
  (_, { pathname }) => {
    const subnet = (addressPrefix: string, group: string) => ({
      ...{ addressPrefix, networkSecurityGroup: { id: `${inNetwork}/networkSecurityGroups/${group}` } },
      ...{
        routeTable: { id: `${inNetwork}/routeTables/rt` },
        natGateway: { id: `${inNetwork}/natGateways/nat` },
      },
    });
    const answers: Readonly<Record<string, Fields>> = {
      "virtualNetworks/spoke": { addressSpace: { addressPrefixes: ["10.40.0.0/20"] } },
      "virtualNetworks/spoke/subnets/snet-cp": subnet("10.40.0.0/26", "nsg-cp"),
      "virtualNetworks/spoke/subnets/snet-nodes": subnet("10.40.4.0/22", "nsg-nodes"),
      "networkSecurityGroups/nsg-cp": { securityRules: [...own, ...controlPlane] },
      "networkSecurityGroups/nsg-nodes": { securityRules: nodes },
      "routeTables/rt": { routes },
      "natGateways/nat": { publicIpAddresses: [{ id: `${inNetwork}/publicIPAddresses/pip` }] },
      "publicIPAddresses/pip": { ipAddress: address },
    };
    if (pathname.endsWith("/providers/Microsoft.Authorization/permissions")) {
      return { body: { value: [{ actions: ["*"], notActions: [] }] } };
    }
    const properties = answers[pathname.replace(`${inNetwork}/`, "")];
    return properties === undefined ? undefined : { body: { location: "westeurope", properties } };
  };

const found = async (change: Change) =>
  (await rowsOf(change, { network }))
    .filter(({ check }) => check === "paths")
    .map(({ state, found: text, remedy }) => [`${state}: ${text}`, ...remedy]);

const deny = (name: string, more: Fields) => rule(name, 100, { access: "Deny", protocol: "*", ...more });

it("says how many paths are open where Azure lets them pass", async () => {
  expect(await found(azureWith())).toEqual([
    [
      "ok: 12 open and 3 shut as they must be, 1 up to others",
      "management cluster → API server (TCP 6443) is up to others: the addresses of the management cluster, which Azure gives when it is made",
    ],
  ]);
});

it("leaves up to others only what it may not read", async () => {
  const azure = azureWith();
  const unread: Change = (method, url, body) =>
    url.pathname.endsWith("/networkSecurityGroups/nsg-nodes")
      ? { status: 403, body: { error: { code: "AuthorizationFailed", message: "no" } } }
      : azure(method, url, body);
  expect(await found(unread)).toEqual([
    [
      "ok: 7 open and 3 shut as they must be, 6 up to others",
      "linux1, win1 → API server (TCP 6443) is up to others: outbound rules of nsg-nodes to the Internet",
      "load balancer → linux1, win1 (TCP 30000-32767 NodePorts) is up to others: inbound rules of nsg-nodes from AzureLoadBalancer",
      "management cluster → API server (TCP 6443) is up to others: the addresses of the management cluster, which Azure gives when it is made",
      "control plane → all machines (UDP 4789 VXLAN, TCP 5473 Typha, TCP 10250 kubelet) is up to others: inbound rules of nsg-nodes from 10.40.0.0/26",
      "linux1, win1 → all machines (UDP 4789 VXLAN, TCP 5473 Typha, TCP 10250 kubelet) is up to others: outbound rules of nsg-nodes to 10.40.0.0/26, 10.40.4.0/22; inbound rules of nsg-nodes from 10.40.4.0/22",
      "linux1, win1 → registries (TCP 443) is up to others: outbound rules of nsg-nodes to the Internet",
    ],
  ]);
});

it.each<[string, Parameters<typeof azureWith>[0], string[]]>([
  [
    "a rule of the nodes denies VXLAN",
    { nodes: [deny("no_vxlan", { destinationPortRange: "4789" })] },
    [
      "error: control plane, linux1, win1 cannot reach all machines (UDP 4789 VXLAN): shut by no_vxlan (100) of nsg-nodes",
      "nsg-nodes securityRules.no_vxlan: Deny Inbound *, from * to *, port 4789, priority 100",
      "allowed: a rule that allows inbound UDP 4789, with a priority below 100",
      "write: remove no_vxlan # or such a rule in nsg-nodes",
    ],
  ],
  [
    "a route drops the nodes",
    { routes: [{ name: "own", properties: { addressPrefix: "10.40.4.0/22", nextHopType: "None" } }] },
    [
      "error: control plane, linux1, win1 cannot reach all machines (UDP 4789 VXLAN, TCP 5473 Typha, TCP 10250 kubelet): shut by the route own of rt, which drops 10.40.4.0/22",
      "rt routes.own: 10.40.4.0/22 None",
      "allowed: no route None for these addresses",
      "write: remove own # or a route with a longer prefix for these addresses",
    ],
  ],
  [
    "the NAT gateway has an address that the API server does not let in",
    { address: "198.51.100.99" },
    [
      "error: control plane, linux1, win1 cannot reach API server (TCP 6443): shut by DenyAllInBound (65500) of nsg-cp",
      "nsg-cp securityRules.DenyAllInBound: Deny Inbound *, from * to *, port *, priority 65500",
      "allowed: a rule that allows inbound TCP 6443, with a priority from 100 to 4096",
      "write: such a rule in nsg-cp",
    ],
  ],
  [
    "ssh is open to everyone",
    { controlPlane: [rule("ssh", 150, { destinationPortRange: "22" })] },
    [
      "warning: others on the Internet can reach control plane (TCP 22): opened by ssh (150) of nsg-cp",
      "nsg-cp securityRules: ssh (150) of nsg-cp",
      "allowed: access.allowedCidrs, the management cluster and the addresses of the nodes only",
      "write: remove ssh (150) of nsg-cp # or its networks in access.allowedCidrs",
    ],
  ],
])("finds that %s", async (_, broken, says) => {
  expect(await found(azureWith(broken))).toEqual([says]);
});
