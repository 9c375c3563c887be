import { subnetId } from "../support/rightManagement";
import type { Case } from "./ruleCases";

const place = "management.network";

/** A stack whose AKS cluster is in a network of its own or of others. */
export const aksIn = (network: object, more: object = {}) => ({
  management: { kind: "aks", network, ...more },
});

const vnetCidr = "10.50.0.0/24";
const egressCidrs = ["198.51.100.20/32"];
const integrated = { vnetIntegration: true };
const vnetId = subnetId.slice(0, subnetId.indexOf("/subnets/"));
const zone = (name: string): string =>
  `/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/dns/providers/Microsoft.Network/privateDnsZones/${name}`;
const firewall = { type: "firewall", egressCidrs };

/** Cases of management.network. */
export const managementNetworkCases: readonly Case[] = [
  [
    "no network",
    aksIn({}),
    `${place}: neither vnetCidr nor subnetId says in which network AKS is`,
    aksIn({ vnetCidr }),
  ],
  [
    "two networks",
    aksIn({ vnetCidr, subnetId }),
    `${place}: vnetCidr and subnetId are both set, and AKS is in one network`,
    aksIn({ subnetId }),
  ],
  [
    "a VNET without room for two subnets",
    aksIn({ vnetCidr: "10.50.0.0/27" }, { maxNodeCount: 3 }),
    `${place}.vnetCidr: half of it is for nodes, and the first /28 for the API server`,
    aksIn({ vnetCidr: "10.50.0.0/26" }, { maxNodeCount: 3 }),
  ],
  [
    "a VNET in which AKS has its pods",
    aksIn({ vnetCidr: "10.244.8.0/24" }),
    `${place}.vnetCidr: overlaps 10.244.0.0/16, which AKS gives to its pods`,
    aksIn({ vnetCidr: "10.246.8.0/24" }),
  ],
  [
    "a VNET in which AKS has its Services",
    aksIn({ vnetCidr: "10.245.8.0/24" }),
    `${place}.vnetCidr: overlaps 10.245.0.0/16, which AKS gives to its Services`,
    aksIn({ vnetCidr: "10.246.8.0/24" }),
  ],
  [
    "a VNET of multicast addresses",
    aksIn({ vnetCidr: "224.0.1.0/24" }),
    `${place}.vnetCidr: overlaps 224.0.0.0/4, which Azure reserves`,
    aksIn({ vnetCidr }),
  ],
  [
    "more nodes than the VNET has addresses",
    aksIn({ vnetCidr: "10.50.0.0/26" }, { maxNodeCount: 21 }),
    `${place}.vnetCidr: its half for nodes has 27 addresses, and maxNodeCount 21 with an upgrade's surge of 33% needs 28`,
    aksIn({ vnetCidr: "10.50.0.0/26" }, { maxNodeCount: 20 }),
  ],
  [
    "a subnet of another subscription",
    aksIn({ subnetId: subnetId.replace("11111111", "22222222") }),
    `${place}.subnetId: in another subscription than the stack (11111111-2222-4333-8444-555555555555): Azure attaches nodes only to VNETs of their own subscription`,
    aksIn({ subnetId }),
  ],
  [
    "a NAT gateway in a subnet of others",
    aksIn({ subnetId, outbound: { type: "nat" } }),
    `${place}.outbound.type: the subnet of others has the way out that they gave it, and the stack changes none`,
    aksIn({ subnetId, outbound: { type: "existingNat", egressCidrs } }),
  ],
  [
    "a firewall behind a new VNET",
    aksIn({ vnetCidr, outbound: firewall }),
    `${place}.outbound.type: AKS nodes contact the Internet as soon as they start, and a VNET that the stack has just made has no route to a firewall yet`,
    aksIn({ subnetId, outbound: firewall }),
  ],
  [
    "a NAT gateway of others in a new VNET",
    aksIn({ vnetCidr, outbound: { type: "existingNat", egressCidrs } }),
    `${place}.outbound.type: a VNET that the stack makes has no NAT gateway of others`,
    aksIn({ vnetCidr, outbound: { type: "nat" } }),
  ],
  [
    "a firewall whose address is not known",
    aksIn({ subnetId, outbound: { type: "firewall" } }),
    `${place}.outbound.egressCidrs: with type: firewall, others know from which addresses AKS leaves, and the stack file does not name them`,
    aksIn({ subnetId, outbound: firewall }),
  ],
  [
    "an address beside the one that the stack makes",
    aksIn({ vnetCidr, outbound: { type: "nat", egressCidrs } }),
    `${place}.outbound.egressCidrs: with type: nat, the stack makes the address from which AKS leaves`,
    aksIn({ vnetCidr, outbound: { type: "nat" } }),
  ],
  [
    "networks beside a private API server of AKS",
    aksIn({ vnetCidr, apiServer: { private: true } }, { authorizedCidrs: ["203.0.113.0/24"] }),
    "management.authorizedCidrs: AKS limits the networks of a public API server only, and that of the stack is private",
    aksIn({ vnetCidr, apiServer: { private: true } }),
  ],
  [
    "an API server of AKS without a name",
    aksIn({ vnetCidr, apiServer: { private: true, privateDnsZone: "none", publicFqdn: false } }),
    `${place}.apiServer.publicFqdn: without a zone and without a public name the API server of AKS has no name, which AKS refuses`,
    aksIn({ vnetCidr, apiServer: { private: true, privateDnsZone: "none" } }),
  ],
  [
    "a zone for a public API server of AKS",
    aksIn({ vnetCidr, apiServer: { privateDnsZone: "system" } }),
    `${place}.apiServer.privateDnsZone: the API server of AKS has a public address`,
    aksIn({ vnetCidr, apiServer: { privateDnsZone: "system", private: true } }),
  ],
  [
    "a public name for a public API server of AKS",
    aksIn({ vnetCidr, apiServer: { publicFqdn: true } }),
    `${place}.apiServer.publicFqdn: the API server of AKS has a public address`,
    aksIn({ vnetCidr, apiServer: { publicFqdn: true, private: true } }),
  ],
  [
    "links of a zone that AKS makes",
    aksIn({ vnetCidr, apiServer: { private: true, linkedVnetIds: [vnetId] } }),
    `${place}.apiServer.linkedVnetIds: the stack links VNETs to a zone that it makes only`,
    aksIn({ vnetCidr, apiServer: { private: true, privateDnsZone: "own", linkedVnetIds: [vnetId] } }),
  ],
  [
    "a zone of another name",
    aksIn({ vnetCidr, apiServer: { private: true, privateDnsZone: zone("aks.example.com") } }),
    `${place}.apiServer.privateDnsZone: AKS does not accept a zone with this name in westeurope`,
    aksIn({
      vnetCidr,
      apiServer: { private: true, privateDnsZone: zone("x.privatelink.westeurope.azmk8s.io") },
    }),
  ],
  [
    "a zone of private link with VNET integration",
    aksIn({
      vnetCidr,
      apiServer: { ...integrated, private: true, privateDnsZone: zone("privatelink.westeurope.azmk8s.io") },
    }),
    `${place}.apiServer.privateDnsZone: AKS does not accept a zone with this name in westeurope with vnetIntegration`,
    aksIn({
      vnetCidr,
      apiServer: { ...integrated, private: true, privateDnsZone: zone("private.westeurope.azmk8s.io") },
    }),
  ],
  [
    "no subnet for the API server",
    aksIn({ subnetId, apiServer: integrated }),
    `${place}.apiServer.subnetId: vnetIntegration needs a subnet for the API server, and none is named`,
    aksIn({ subnetId, apiServer: { ...integrated, subnetId: `${subnetId}-api` } }),
  ],
  [
    "the subnet of the nodes for the API server",
    aksIn({ subnetId, apiServer: { ...integrated, subnetId } }),
    `${place}.apiServer.subnetId: not another subnet of the VNET of the nodes, as vnetIntegration needs it`,
    aksIn({ subnetId, apiServer: { ...integrated, subnetId: `${subnetId}-api` } }),
  ],
  [
    "a subnet for the API server beside a VNET of the stack",
    aksIn({ vnetCidr, apiServer: { ...integrated, subnetId } }),
    `${place}.apiServer.subnetId: the stack makes the VNET, and in it the subnet of the API server`,
    aksIn({ vnetCidr, apiServer: integrated }),
  ],
  [
    "a subnet for an API server that is in none",
    aksIn({ subnetId, apiServer: { subnetId: `${subnetId}-api` } }),
    `${place}.apiServer.subnetId: without vnetIntegration the API server of AKS is in no subnet`,
    aksIn({ subnetId }),
  ],
];
