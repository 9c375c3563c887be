import type { Change } from "./armStandIn";
import { rowsOf, withAzure } from "./support";

/** The private link to the API server, as Azure shows what it needs. */

withAzure();

const vnetId =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers/Microsoft.Network/virtualNetworks/platform-vnet";
const kubeconfig = `apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: https://10.0.0.1}}]
users: [{name: u, user: {token: t}}]
`;
const stack = (more: object = {}) => ({
  management: {
    ...{ kind: "existing", name: "m", egressCidrs: ["10.50.0.0/22"] },
    oidcIssuerUrl: "https://issuer.example.com/",
  },
  managementKubeconfig: kubeconfig,
  network: {
    ...{ vnetCidr: "10.40.0.0/20", controlPlaneSubnetCidr: "10.40.0.0/26", nodeSubnetCidr: "10.40.4.0/22" },
    apiServer: { private: true, privateLink: { subnetId: `${vnetId}/subnets/endpoints` } },
    ...more,
  },
});

/** Azure with these resources, by the end of their path. */
const azureWith =
  (found: Readonly<Record<string, unknown>>): Change =>
  (_, { pathname }) => {
    const [, body] = Object.entries(found).find(([end]) => pathname.endsWith(end)) ?? [];
    return body !== undefined ? { body } : undefined;
  };

const vnet = (location = "westeurope", name = "endpoints") => ({
  "/virtualNetworks/platform-vnet": { location, properties: { subnets: [{ name }] } },
});

const connected = (status: string) => ({
  ...vnet(),
  "/privateLinkServices/test-apiserver": {
    properties: {
      privateEndpointConnections: [
        {
          id: "/connections/one",
          properties: {
            privateEndpoint: { id: "/privateEndpoints/test-apiserver" },
            privateLinkServiceConnectionState: { status },
          },
        },
      ],
    },
  },
});

const inSpoke = {
  existing: {
    ...{ controlPlaneSubnetId: `${vnetId}/subnets/cp`, nodeSubnetId: `${vnetId}/subnets/nodes` },
    ...{ nodeSecurityGroup: "nsg", egressCidrs: ["198.51.100.10/32"] },
  },
  apiServer: { private: true, privateLink: { manual: true } },
};

it.each([
  [
    "a subnet that is there, before the first `up`",
    vnet(),
    {},
    ["ok: nothing is in the way of test-apiserver and its private endpoint"],
  ],
  ["a subnet that is not there", vnet("westeurope", "other"), {}, ["error: endpoints does not exist"]],
  [
    "a VNET in another region",
    vnet("northeurope"),
    {},
    [
      "error: platform-vnet is in northeurope, and the stack would make the private endpoint in westeurope: Azure takes it in the region of its VNET only",
    ],
  ],
  ["an endpoint that is approved", connected("Approved"), {}, [expect.stringMatching(/^ok: /)]],
  [
    "an endpoint that is not approved",
    connected("Pending"),
    {},
    [
      "error: the private endpoint test-apiserver is Pending on test-apiserver, so the management cluster does not reach the API server",
    ],
  ],
  [
    "a control plane subnet of others with network policies",
    { "/subnets/cp": { properties: { privateLinkServiceNetworkPolicies: "Enabled" } } },
    inSpoke,
    ["error: cp has network policies for private link services, so Azure takes none there"],
  ],
  [
    "one without them",
    { "/subnets/cp": { properties: { privateLinkServiceNetworkPolicies: "Disabled" } } },
    inSpoke,
    ["ok: nothing is in the way of test-apiserver"],
  ],
])("%s", async (_, found, more, rows) => {
  const all = await rowsOf(azureWith(found), stack(more));
  expect(
    all.filter(({ check }) => check === "private link").map(({ state, found: text }) => `${state}: ${text}`),
  ).toEqual(rows);
});
