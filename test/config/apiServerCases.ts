import { subnetId } from "../support/rightManagement";
import { existingManagement } from "../support/stacks";
import type { Case } from "./ruleCases";

const vnet =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub";
const zoneId =
  "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/k8s.example.com";

/** A stack with a private API server, whose management cluster is in the VNET `hub`. */
export const privateStack = (apiServer: object = {}, more: object = {}) => ({
  ...existingManagement,
  network: { apiServer: { private: true, linkedVnetIds: [vnet], ...apiServer } },
  ...more,
});

const place = "network.apiServer";

/** A stack with a private API server that makes AKS in a network of its own or of others. */
export const besideAks = (network: object, own: object = {}) => ({
  management: { kind: "aks", network },
  network: { apiServer: { private: true }, ...own },
});

const aksVnet = subnetId.slice(0, subnetId.indexOf("/subnets/"));
const inVnetOfOthers = (name: string) => {
  const of = (subnet: string) => `${aksVnet.replace(/[^/]*$/, name)}/subnets/${subnet}`;
  return {
    ...{ controlPlaneSubnetCidr: "10.10.0.0/24", nodeSubnetCidr: "10.10.128.0/17" },
    existing: {
      ...{ controlPlaneSubnetId: of("cp"), nodeSubnetId: of("nodes"), nodeSecurityGroup: "nsg" },
      egressCidrs: ["198.51.100.10/32"],
    },
  };
};

/** A stack on the management cluster of another one. */
const client = (peering?: string, network: object = { apiServer: { private: true } }) => ({
  management: { kind: "stack", stack: "acme/platform/management", ...(peering && { peering }) },
  network,
});
const inSpoke = { apiServer: { private: true }, ...inVnetOfOthers("spoke") };
const peered = (name: string) => ({
  ...{
    apiServer: { private: true },
    peerings: { [name]: { vnetId: vnet, addressSpaces: ["10.50.0.0/16"] } },
  },
});

const endpointIn = `${vnet}/subnets/endpoints`;
const linked = (privateLink: object, more: object = {}) =>
  privateStack({ linkedVnetIds: [], privateLink }, more);
const linkedClient = (peering?: string) => client(peering, { apiServer: { private: true, privateLink: {} } });

/** Cases of network.apiServer. */
export const apiServerCases: readonly Case[] = [
  [
    "a private API server that the management cluster of another stack does not find",
    client(),
    `${place}.linkedVnetIds: the management cluster cannot resolve test.capz.io: the zone is linked to the cluster's VNET only`,
    client("stack"),
  ],
  [
    "the same in a VNET of others",
    client(undefined, inSpoke),
    `${place}.linkedVnetIds: the management cluster cannot resolve test.capz.io: the zone is linked to the cluster's VNET only`,
    client("others", inSpoke),
  ],
  [
    "a peering of a VNET of others",
    client("stack", inSpoke),
    "management.peering: the VNET of network.existing belongs to others, and so do its peerings",
    client("others", inSpoke),
  ],
  [
    "a peering for a public API server",
    client("manual", {}),
    "management.peering: not used with a public API server, which the management cluster reaches without a peering",
    client(undefined, {}),
  ],
  [
    "neither a peering nor a link",
    client("others", { apiServer: { private: true, dns: { manual: true } } }),
    "management.peering: not used with dns.manual: the stack would make neither a peering nor a link",
    client("stack", { apiServer: { private: true, dns: { manual: true } } }),
  ],
  [
    "a peering with the name of that with the management cluster",
    client("stack", peered("management-cluster")),
    "network.peerings.management-cluster: management.peering makes a peering with this name",
    client("stack", peered("hub")),
  ],
  [
    "a client among the pods of AKS",
    client("stack", { apiServer: { private: true }, vnetCidr: "10.244.0.0/16" }),
    "network.vnetCidr: overlaps 10.244.0.0/16 of the pods and Services of AKS: its controllers would look for a private API server among them",
    client("stack"),
  ],
  [
    "a private API server with a management cluster of the stack",
    { network: { apiServer: { private: true, linkedVnetIds: [vnet] } } },
    `${place}: the management cluster that the stack makes is in a VNET of AKS (10.224.0.0/12) without any peering: its controllers could not reach a private API server`,
    besideAks({ vnetCidr: "10.50.0.0/24" }),
  ],
  [
    "a private API server in a VNET of others, and AKS in one of the stack",
    besideAks({ vnetCidr: "10.50.0.0/24" }, inVnetOfOthers("spoke")),
    `${place}: the stack makes the VNET of the management cluster, and peers nothing with the VNET of network.existing, which belongs to others: the controllers could not reach a private API server`,
    besideAks({ subnetId }, inVnetOfOthers("platform")),
  ],
  [
    "a private API server that is not peered with AKS in a subnet of others",
    besideAks({ subnetId }),
    `${place}: the VNET of the stack is not peered with that of the management cluster (${aksVnet}): its controllers could not reach a private API server`,
    besideAks({ subnetId }, { peerings: { hub: { vnetId: vnet, addressSpaces: ["10.50.0.0/16"] } } }),
  ],
  [
    "a VNET that overlaps that of AKS, with which it is peered",
    besideAks({ vnetCidr: "10.10.8.0/24" }),
    "network.vnetCidr: overlaps 10.10.8.0/24 of the peering management-cluster (network.peerings.management-cluster.addressSpaces): Azure refuses the peering",
    besideAks({ vnetCidr: "10.50.0.0/24" }),
  ],
  [
    "a VNET among the pods of AKS",
    besideAks({ vnetCidr: "10.50.0.0/24" }, { vnetCidr: "10.244.0.0/16" }),
    "network.vnetCidr: overlaps 10.244.0.0/16 of the pods and Services of AKS: its controllers would look for a private API server among them",
    besideAks({ vnetCidr: "10.50.0.0/24" }),
  ],
  [
    "a private link without a place for its endpoint",
    linked({}),
    `${place}.privateLink.subnetId: the stack does not know in which subnet of the management cluster's VNET to make the private endpoint`,
    linked({ subnetId: endpointIn }),
  ],
  [
    "a private link by hand with a subnet",
    linked({ manual: true, subnetId: endpointIn }),
    `${place}.privateLink.subnetId: not used with manual: others choose the subnet of the private endpoint`,
    linked({ manual: true }),
  ],
  [
    "a private link by hand with a region",
    linked({ manual: true, location: "northeurope" }),
    `${place}.privateLink.location: not used with manual: others make the private endpoint in the region of its VNET`,
    linked({ subnetId: endpointIn, location: "northeurope" }),
  ],
  [
    "a private link from a VNET of AKS",
    { management: { kind: "aks" }, network: { apiServer: { private: true, privateLink: {} } } },
    `${place}.privateLink: the management cluster that the stack makes is in a VNET of AKS (10.224.0.0/12), in which the stack makes no private endpoint`,
    // The same range, and that of the pods of AKS.
    besideAks({ vnetCidr: "10.10.0.0/24" }, { apiServer: { private: true, privateLink: {} } }),
  ],
  [
    "a private link within one VNET",
    besideAks({ subnetId }, { ...inVnetOfOthers("platform"), apiServer: { private: true, privateLink: {} } }),
    `${place}.privateLink: both clusters are in one VNET, so the management cluster reaches the API server without it`,
    besideAks({ subnetId }, { ...inVnetOfOthers("spoke"), apiServer: { private: true, privateLink: {} } }),
  ],
  [
    "a private link beside a peering",
    linkedClient("stack"),
    `management.peering: not used with ${place}.privateLink, by which the management cluster reaches the API server without a peering`,
    linkedClient(),
  ],
  [
    "a private link of an older CAPZ",
    linked({ manual: true }, { clusterApi: { install: true, azureVersion: "v1.26.0" } }),
    `clusterApi.azureVersion: CAPZ makes private link services from v1.27 on (${place}.privateLink)`,
    linked({ manual: true }),
  ],
  [
    "a private API server with Calico that gives its name to every pod",
    privateStack({}, { kubernetesVersion: "v1.34.2" }),
    `${place}: Calico before v3.32 sends pods on a machine of the control plane to the load balancer, which cannot send them back to that machine`,
    privateStack(),
  ],
  [
    "an API server that is not private",
    privateStack({ private: false }),
    `${place}.private: not an allowed value`,
    privateStack(),
  ],
  [
    "an address that Azure takes itself",
    privateStack({ ip: "10.10.0.3" }),
    `${place}.ip: Azure takes the first four addresses and the last one of 10.10.0.0/24 itself`,
    privateStack({ ip: "10.10.0.4" }),
  ],
  [
    "the broadcast address",
    privateStack({ ip: "10.10.0.255" }),
    `${place}.ip: Azure takes the first four addresses and the last one of 10.10.0.0/24 itself`,
    privateStack({ ip: "10.10.0.254" }),
  ],
  [
    "an address in the subnet of the nodes",
    privateStack({ ip: "10.10.128.10" }),
    `${place}.ip: not in the control plane subnet 10.10.0.0/24 (network.controlPlaneSubnetCidr)`,
    privateStack({ ip: "10.10.0.10" }),
  ],
  [
    "two zones",
    privateStack({ dns: { zoneId, zoneName: "blue.example.com" } }),
    `${place}.dns: zoneId and zoneName are both set`,
    privateStack({ dns: { zoneId } }),
  ],
  [
    "a zone by hand in a zone of others",
    privateStack({ dns: { zoneId, manual: true }, linkedVnetIds: [] }),
    `${place}.dns: zoneId and manual are both set`,
    privateStack({ dns: { manual: true }, linkedVnetIds: [] }),
  ],
  [
    "links of a zone by hand",
    privateStack({ dns: { manual: true } }),
    `${place}.linkedVnetIds: not used with dns.manual: whoever has the zone links it`,
    privateStack({ dns: { manual: true }, linkedVnetIds: [] }),
  ],
  [
    "a zone in which the management cluster does not look",
    privateStack({ linkedVnetIds: [] }),
    `${place}.linkedVnetIds: the management cluster cannot resolve test.capz.io: the zone is linked to the cluster's VNET only`,
    privateStack(),
  ],
  [
    "a zone with one label",
    privateStack({ dns: { zoneName: "internal" } }),
    `${place}.dns.zoneName: invalid format`,
    privateStack({ dns: { zoneName: "k8s.internal" } }),
  ],
];
