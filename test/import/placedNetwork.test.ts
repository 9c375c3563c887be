import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applySteps, type Path } from "../../config/steps";
import { at } from "capz-windows-kit/untyped";
import { importText, planner, templateVariables } from "./support";

/** A cluster in a network that others have made, or without a public address. */

type Plain = Readonly<Record<string, unknown>>;

const template = readFileSync(join(__dirname, "sources/template.yaml"), "utf8");
const vnetIn = (
  group: string,
  name: string,
  subscription = templateVariables.AZURE_SUBSCRIPTION_ID,
): string =>
  `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/${name}`;
const spoke = vnetIn("network", "spoke");

const imported = (networkSpec: Plain, version = "v1.35.6", text = template) =>
  importText(
    text.replace(/ {2}networkSpec:\n.*\n/, () => `  networkSpec: ${JSON.stringify(networkSpec)}\n`),
    { ...templateVariables, KUBERNETES_VERSION: version },
  );

const subnet = (name: string, role: string, cidr: string, more: Plain = {}): Plain => ({
  ...{ name, role, cidrBlocks: [cidr], securityGroup: { name: `nsg-${name}` } },
  ...more,
});

const inSpoke: Plain = {
  vnet: {
    ...{ name: "spoke", resourceGroup: "network", cidrBlocks: ["10.40.0.0/20"] },
    peerings: [{ resourceGroup: "hub", remoteVnetName: "Hub_VNET" }],
  },
  subnets: [
    subnet("cp", "control-plane", "10.40.0.0/26"),
    subnet("nodes", "node", "10.40.4.0/22", { routeTable: { name: "rt" } }),
    subnet("Web_Tier", "node", "10.40.8.0/24", {
      ...{ id: `${spoke}/subnets/Web_Tier`, securityGroup: { name: "nsg-nodes" } },
    }),
  ],
};

const internal: Plain = {
  apiServerLB: { type: "Internal", frontendIPs: [{ name: "f", privateIP: "10.40.0.40" }] },
};

/** Answers to what an import asks of such a cluster. */
const answers: readonly (readonly [path: Path, value: unknown])[] = [
  [["management", "name"], "platform"],
  [["management", "egressCidrs"], ["10.50.0.0/22"]],
  [["management", "oidcIssuerUrl"], "https://issuer.example.com/"],
  [["network", "existing", "egressCidrs"], ["198.51.100.10/32"]],
];

async function azureClusterOf(config: Plain): Promise<unknown> {
  const steps = answers.filter(([path]) => at(config, ...path.map(String)) !== undefined);
  const whole = applySteps(
    config,
    steps.map(([set, value]) => ({ set, value })),
  );
  return (await planner(whole)).azureCluster.spec.networkSpec;
}

const ofPrivate = [
  "management.name",
  "management.egressCidrs",
  "management.oidcIssuerUrl",
  "managementKubeconfig",
];

test("a cluster with a private API server in a VNET of others stays there, and private", async () => {
  const { config, open, leftOut, unexplained } = await imported({
    ...inSpoke,
    ...internal,
    privateDNSZoneName: "k8s.example.com",
  });
  expect(config.network).toEqual({
    vnetCidr: "10.40.0.0/20",
    controlPlaneSubnetCidr: "10.40.0.0/26",
    nodeSubnetCidr: "10.40.4.0/22",
    poolSubnets: { "web-tier": "10.40.8.0/24" },
    podCidr: "192.168.0.0/16",
    existing: {
      controlPlaneSubnetId: `${spoke}/subnets/cp`,
      nodeSubnetId: `${spoke}/subnets/nodes`,
      poolSubnetIds: { "web-tier": `${spoke}/subnets/Web_Tier` },
      nodeSecurityGroup: "nsg-nodes",
      controlPlaneSecurityGroup: "nsg-cp",
      routeTable: "rt",
      egressCidrs: [expect.stringMatching(/^<Addresses from which machines leave the VNET/)],
    },
    apiServer: {
      private: true,
      ip: "10.40.0.40",
      dns: { zoneName: "k8s.example.com" },
      linkedVnetIds: [vnetIn("hub", "Hub_VNET")],
    },
  });
  expect(config.management).toMatchObject({ kind: "existing" });
  expect(open.map(({ path }) => path)).toEqual(["network.existing.egressCidrs", ...ofPrivate]);
  expect(leftOut.map(({ from }) => from).filter((from) => from.includes("networkSpec"))).toEqual([
    "AzureCluster spec.networkSpec.apiServerLB.frontendIPs[f]",
    "AzureCluster spec.networkSpec.vnet.peerings",
  ]);
  expect(unexplained).toEqual([]);
  expect(await azureClusterOf(config)).toMatchObject({
    apiServerLB: { type: "Internal", frontendIPs: [{ privateIP: "10.40.0.40" }] },
    vnet: { name: "spoke", resourceGroup: "network" },
    subnets: [{ name: "cp" }, { name: "nodes" }, { name: "Web_Tier" }],
  });
});

test("a private API server in a VNET of the cluster takes its peerings, both sides made by the stack", async () => {
  const { config, open } = await imported({
    ...internal,
    vnet: {
      ...{ name: "own", cidrBlocks: ["10.40.0.0/20"] },
      peerings: [
        {
          resourceGroup: "hub",
          remoteVnetName: "hub",
          forwardPeeringProperties: { useRemoteGateways: true },
        },
        {
          resourceGroup: "shared",
          remoteVnetName: "other",
          forwardPeeringProperties: { allowForwardedTraffic: true },
        },
      ],
    },
  });
  const spaces = [expect.stringMatching(/^<All ranges of the other VNET/)];
  const remote = { remoteSide: "stack", addressSpaces: spaces };
  expect(config.network).toMatchObject({
    peerings: {
      hub: { vnetId: vnetIn("hub", "hub"), allowForwardedTraffic: false, useRemoteGateways: true, ...remote },
      other: { vnetId: vnetIn("shared", "other"), allowForwardedTraffic: true, ...remote },
    },
    apiServer: {
      private: true,
      ip: "10.40.0.40",
      linkedVnetIds: [vnetIn("hub", "hub"), vnetIn("shared", "other")],
    },
  });
  expect(open.map(({ path }) => path)).toEqual([
    ...["network.peerings.hub.addressSpaces", "network.peerings.other.addressSpaces"],
    ...ofPrivate,
  ]);
});

test.each([
  ["of the stack", {}, undefined, true],
  [
    "of another resource group",
    { privateDNSZoneName: "k8s.example.com", privateDNSZoneResourceGroup: "dns" },
    {
      zoneId: expect.stringMatching(
        /\/resourceGroups\/dns\/providers\/Microsoft.Network\/privateDnsZones\/k8s.example.com$/,
      ) as string,
    },
    false,
  ],
  [
    "that CAPZ does not make",
    { privateDNSZone: "None", privateDNSZoneName: "k8s.example.com" },
    { manual: true, zoneName: "k8s.example.com" },
    false,
  ],
])("a zone %s", async (_, zone, dns, asksForLink) => {
  const { config, open, leftOut } = await imported({
    ...internal,
    ...zone,
    vnet: { name: "v", cidrBlocks: ["10.40.0.0/24"] },
  });
  expect(at(config, "network", "apiServer", "dns")).toEqual(dns);
  const link = open.find(({ path }) => path === "network.apiServer.linkedVnetIds");
  expect(link).toEqual(
    asksForLink
      ? {
          path: "network.apiServer.linkedVnetIds",
          what: "a list with the ARM ID of the VNET of the management cluster, where the name of the API server must resolve; the source links none",
        }
      : undefined,
  );
  expect(leftOut.filter(({ why }) => why.startsWith("CAPZ makes no zone for the API server"))).toEqual(
    at(dns, "manual") === true
      ? [
          {
            from: "AzureCluster spec.networkSpec.privateDNSZone: None",
            why: "CAPZ makes no zone for the API server, and the source does not say who does: it is taken to be others",
            instead:
              "network.apiServer.dns: manual, as written; zoneName or zoneId alone for a record that the stack makes",
          },
        ]
      : [],
  );
});

test("ranges, groups and subnets that the source does not say are asked for, and nothing is made instead", async () => {
  const { config, open } = await imported({
    vnet: { name: "spoke", resourceGroup: "network" },
    subnets: [{ name: "cp", role: "control-plane", cidrBlocks: ["10.40.0.0/26"] }],
  });
  expect(open).toEqual([
    { path: "network.existing.nodeSubnetId", what: expect.stringMatching(/^Subnet of all pools/) as string },
    { path: "network.existing.nodeSecurityGroup", what: expect.stringMatching(/^Security group/) as string },
    { path: "network.existing.egressCidrs", what: expect.stringMatching(/^Addresses from/) as string },
    {
      path: "network.vnetCidr",
      what: "range of the VNET as a CIDR, which others have made and the source does not say",
    },
    {
      path: "network.nodeSubnetCidr",
      what: "range of the subnet of the nodes as a CIDR, which others have made and the source does not say",
    },
  ]);
  expect(config.network).toMatchObject({
    controlPlaneSubnetCidr: "10.40.0.0/26",
    vnetCidr: "<range of the VNET as a CIDR, which others have made and the source does not say>",
    existing: { controlPlaneSubnetId: `${spoke}/subnets/cp` },
  });
});

test("Kubernetes before v1.35 gets a Calico that can do with a private API server", async () => {
  const { config, leftOut } = await imported({ ...inSpoke, ...internal }, "v1.33.9");
  expect(config).toMatchObject({
    network: { apiServer: { private: true } },
    addons: { calicoVersion: "v3.32.1" },
  });
  expect(leftOut).toContainEqual({
    from: expect.stringMatching(/^network.apiServer/) as string,
    why: "Calico before v3.32 sends pods on a machine of the control plane to the load balancer, which cannot send them back to that machine",
    instead: "addons.calicoVersion: v3.32.1",
  });
});

test("what the rules refuse of it is the first thing that the report says", async () => {
  const other = vnetIn("network", "spoke", "99999999-2222-4333-8444-555555555555");
  const { config, leftOut } = await imported({
    ...inSpoke,
    subnets: [
      subnet("cp", "control-plane", "10.40.0.0/26", { id: `${other}/subnets/cp` }),
      subnet("nodes", "node", "10.40.4.0/22", { id: `${other}/subnets/nodes` }),
    ],
  });
  expect(config.network).not.toHaveProperty("existing");
  expect(leftOut[0]).toEqual({
    from: expect.stringContaining(
      'network.existing.controlPlaneSubnetId: "/subscriptions/99999999',
    ) as string,
    why: `in another subscription than the stack (${templateVariables.AZURE_SUBSCRIPTION_ID}): Azure attaches machines and subnets only to what is in theirs; without it, the stack makes its own VNET`,
    instead: `what is in the subscription ${templateVariables.AZURE_SUBSCRIPTION_ID}`,
  });
});

test("a VNET that has the default range of Services in it keeps its ranges and peerings", async () => {
  const { config, leftOut } = await imported({
    vnet: {
      ...{ name: "own-vnet", cidrBlocks: ["10.0.0.0/8"] },
      peerings: [{ resourceGroup: "hub", remoteVnetName: "hub" }],
    },
    subnets: [subnet("cp", "control-plane", "10.0.0.0/16"), subnet("nodes", "node", "10.1.0.0/16")],
  });
  expect(config.network).toMatchObject({
    ...{ vnetCidr: "10.0.0.0/8", controlPlaneSubnetCidr: "10.0.0.0/16", nodeSubnetCidr: "10.1.0.0/16" },
    ...{ serviceCidr: "172.20.0.0/16", peerings: { hub: { vnetId: vnetIn("hub", "hub") } } },
  });
  const names = {
    why: "the stack names its VNET and subnets itself, and writes the rules of their security groups: these let access.allowedCidrs in, and nobody else from outside",
    instead: "network, network.existing and access.allowedCidrs",
  };
  expect(leftOut.filter(({ from }) => /^network|Services|networkSpec/i.test(from))).toEqual([
    {
      from: "Kubernetes' default range of Services",
      why: "overlaps 10.0.0.0/8 of the VNET (network.vnetCidr)",
      instead: "network.serviceCidr: 172.20.0.0/16",
    },
    { from: "AzureCluster spec.networkSpec.subnets[cp]", ...names },
    { from: "AzureCluster spec.networkSpec.subnets[nodes]", ...names },
    { from: "AzureCluster spec.networkSpec.vnet.name", ...names },
    {
      from: "AzureCluster spec.networkSpec.vnet.peerings",
      why: "an override may not change this: the stack file has a key for it",
      instead: "other fields; for this one, network",
    },
  ]);
});

test("a range of pods that the rules refuse is not said to have a key", async () => {
  const { leftOut } = await importText(
    template.replace("cidrBlocks: [192.168.0.0/16]", "cidrBlocks: [10.20.0.0/17]"),
    templateVariables,
  );
  expect(leftOut.filter(({ from }) => /\.pods\.|podCidr/.test(from))).toEqual([
    {
      from: 'network.podCidr: "10.20.0.0/17"',
      why: "overlaps 10.20.0.0/16 of the VNET (network.vnetCidr)",
      instead: "a network that does not overlap the VNET",
    },
    {
      from: "Cluster spec.clusterNetwork.pods.cidrBlocks",
      why: "the rules of the stack file refuse it",
      instead: "network",
    },
  ]);
});
