import type { Change } from "./armStandIn";
import { at, refused } from "./findings";
import { rowsOf, withAzure } from "./support";

/** The zone, the record and the address of a private API server, as Azure shows them. */

withAzure();

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const vnet = (name: string): string =>
  `${subscription}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/${name}`;
const zone = (group: string): string =>
  `${subscription}/resourceGroups/${group}/providers/Microsoft.Network/privateDnsZones/k8s.example.com`;
const management = {
  ...{ kind: "existing", name: "m", egressCidrs: ["10.50.0.0/22"] },
  oidcIssuerUrl: "https://issuer.example.com/",
};
const kubeconfig = `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: https://10.0.0.1}}]
users: [{name: u, user: {token: t}}]
`;
const stack = (dns: object, existing?: object) => ({
  management,
  managementKubeconfig: kubeconfig,
  network: {
    ...{ vnetCidr: "10.40.0.0/20", controlPlaneSubnetCidr: "10.40.0.0/26", nodeSubnetCidr: "10.40.4.0/22" },
    apiServer: { private: true, ip: "10.40.0.40", dns, linkedVnetIds: [vnet("hub")] },
    ...(existing === undefined ? {} : { existing }),
  },
});
const inSpoke = {
  ...{ controlPlaneSubnetId: `${vnet("spoke")}/subnets/cp`, nodeSubnetId: `${vnet("spoke")}/subnets/nodes` },
  ...{ nodeSecurityGroup: "nsg", egressCidrs: ["198.51.100.10/32"] },
};

/** Azure with these resources, by the end of their path. */
const azureWith =
  (found: Readonly<Record<string, unknown>>): Change =>
  (_, { pathname }) => {
    const [, body] = Object.entries(found).find(([end]) => pathname.endsWith(end)) ?? [];
    return body !== undefined
      ? { body }
      : pathname.endsWith("/privateDnsZones")
        ? { body: { value: [] } }
        : undefined;
  };

const found = async (change: Change, more: object) =>
  (await rowsOf(change, more as Record<string, unknown>))
    .filter(({ check }) => check === "private API server")
    .map(({ state, found: text }) => `${state}: ${text}`);

it("nothing stands in the way of a zone of the stack, also once it is made", async () => {
  const right = ["ok: k8s.example.com and 10.40.0.40 are as the stack file needs them"];
  const dns = { zoneName: "k8s.example.com" };
  expect(await found(azureWith({}), stack(dns))).toEqual(right);
  expect(
    await found(azureWith({ "/privateDnsZones": { value: [{ id: zone("test") }] } }), stack(dns)),
  ).toEqual(right);
});

it("a VNET that is linked to another zone of the name", async () => {
  const azure = azureWith({
    "Microsoft.Network/privateDnsZones": { value: [{ id: zone("old") }] },
    "/virtualNetworkLinks": { value: [{ properties: { virtualNetwork: { id: vnet("HUB") } } }] },
  });
  expect(await found(azure, stack({ zoneName: "k8s.example.com" }))).toEqual([
    `error: HUB is linked to another zone k8s.example.com already (${zone("old")}), and Azure links a VNET to one zone of a name`,
  ]);
});

it("a zone of others that is not there, that may not be read, or whose record is of another cluster", async () => {
  const others = stack({ zoneId: zone("dns") });
  expect(await found(azureWith({}), others)).toEqual([
    "error: the zone k8s.example.com does not exist, or this login may not read it",
  ]);
  const closed: Change = (method, url, body) =>
    at(/privateDnsZones\/k8s/, () => refused(403, "AuthorizationFailed"))(method, url, body) ??
    azureWith({})(method, url, body);
  expect(await found(closed, others)).toEqual([
    "unknown: this login is not authorized to read this: AuthorizationFailed",
  ]);
  const record = (ip: string) =>
    azureWith({
      "/privateDnsZones/k8s.example.com": { id: zone("dns") },
      "/A/apiserver": { properties: { aRecords: [{ ipv4Address: ip }] } },
    });
  expect(await found(record("10.40.0.40"), others)).toEqual([
    "ok: k8s.example.com and 10.40.0.40 are as the stack file needs them",
  ]);
  expect(await found(record("10.9.0.4"), others)).toEqual([
    "error: apiserver.k8s.example.com is 10.9.0.4 already, and the stack file says 10.40.0.40: another cluster has the zone",
  ]);
});

it("an address that is taken, but not by the load balancer of the cluster", async () => {
  const taken = { "/CheckIPAddressAvailability": { available: false } };
  const spoke = stack({ zoneName: "k8s.example.com" }, inSpoke);
  expect(await found(azureWith(taken), spoke)).toEqual([
    "error: 10.40.0.40, the address of the API server, is taken in spoke",
  ]);
  expect(await found(azureWith({ ...taken, "/loadBalancers/test-internal-lb": {} }), spoke)).toEqual([
    "ok: k8s.example.com and 10.40.0.40 are as the stack file needs them",
  ]);
});
