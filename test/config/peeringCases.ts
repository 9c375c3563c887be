import type { Case } from "./ruleCases";

const subscriptionId = "11111111-2222-4333-8444-555555555555";
const vnet = (name: string, subscription = "22222222-2222-4333-8444-555555555555", group = "hub") =>
  `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/${name}`;

const place = "network.peerings";

/** A hub with a range that nothing of the stack has. */
export const hub = { vnetId: vnet("hub"), addressSpaces: ["10.50.0.0/16"] };
const data = { vnetId: vnet("data"), addressSpaces: ["10.60.0.0/16"] };

const peered = (peerings: object, more: object = {}) => ({ network: { peerings, ...more } });

const subnet = (name: string) => `${vnet("spoke", subscriptionId, "network")}/subnets/${name}`;
const existing = {
  ...{ controlPlaneSubnetId: subnet("control-plane"), nodeSubnetId: subnet("nodes") },
  ...{ nodeSecurityGroup: "nodes-nsg", egressCidrs: ["198.51.100.10/32"] },
};

/** Cases of network.peerings and network.dnsServers. */
export const peeringCases: readonly Case[] = [
  [
    "a peering of a VNET of others",
    peered({ hub }, { existing }),
    `${place}: the VNET of network.existing belongs to others, and so do its peerings: the stack changes nothing of it`,
    { network: { existing } },
  ],
  [
    "DNS servers of a VNET of others",
    { network: { existing, dnsServers: ["10.50.0.68"] } },
    "network.dnsServers: the VNET of network.existing belongs to others, and so do its DNS servers: the stack changes nothing of it",
    { network: { existing } },
  ],
  [
    "a peering with the VNET of the stack itself",
    peered({ self: { vnetId: vnet("Test-vnet", subscriptionId, "test"), addressSpaces: ["10.60.0.0/16"] } }),
    `${place}.self.vnetId: the VNET of the stack itself`,
    peered({ self: { vnetId: vnet("test-vnet", subscriptionId, "other"), addressSpaces: ["10.60.0.0/16"] } }),
  ],
  [
    "two peerings with one VNET",
    peered({ hub, second: { ...hub, vnetId: vnet("HUB") } }),
    `${place}.second.vnetId: the same VNET as ${place}.hub: Azure has one peering between two VNETs`,
    peered({ hub, second: data }),
  ],
  [
    "a peered range that the VNET has",
    peered({ hub: { ...hub, addressSpaces: ["10.50.0.0/16", "10.10.64.0/20"] } }),
    `network.vnetCidr: overlaps 10.10.64.0/20 of the peering hub (${place}.hub.addressSpaces): Azure refuses the peering`,
    peered({ hub: { ...hub, addressSpaces: ["10.50.0.0/16", "10.11.0.0/20"] } }),
  ],
  [
    "a peered range that the pods have",
    peered({ hub: { ...hub, addressSpaces: ["192.168.4.0/24"] } }),
    `network.podCidr: overlaps 192.168.4.0/24 of the peering hub (${place}.hub.addressSpaces): nodes would look for the hosts of the peered VNET among the pods`,
    peered({ hub: { ...hub, addressSpaces: ["192.168.4.0/24"] } }, { podCidr: "172.16.0.0/16" }),
  ],
  [
    "a peered range that the Services have",
    peered({ hub: { ...hub, addressSpaces: ["10.50.0.0/16"] } }, { serviceCidr: "10.50.0.0/20" }),
    `network.serviceCidr: overlaps 10.50.0.0/16 of the peering hub (${place}.hub.addressSpaces): nodes would take the hosts of the peered VNET for Services`,
    peered({ hub }, { serviceCidr: "10.51.0.0/20" }),
  ],
  [
    "two peered VNETs that overlap",
    peered({ hub, next: { ...data, addressSpaces: ["10.50.4.0/24"] } }),
    `${place}.next.addressSpaces: overlaps 10.50.0.0/16 of the peering hub: Azure does not peer a VNET with two that overlap`,
    peered({ hub, next: { ...data, addressSpaces: ["10.51.4.0/24"] } }),
  ],
  [
    "gateways of two VNETs",
    peered({ hub: { ...hub, useRemoteGateways: true }, next: { ...data, useRemoteGateways: true } }),
    `${place}.next.useRemoteGateways: ${place}.hub has it, too, and Azure lets a VNET use the gateways of one other VNET only`,
    peered({ hub: { ...hub, useRemoteGateways: true }, next: data }),
  ],
  [
    "a DNS server among the pods",
    { network: { dnsServers: ["10.50.0.68", "192.168.0.10"] } },
    "network.dnsServers[1]: in 192.168.0.0/16 (network.podCidr), so machines would not look for it outside of the cluster",
    { network: { dnsServers: ["10.50.0.68", "10.50.0.69"] } },
  ],
  [
    "a peering without ranges",
    peered({ hub: { ...hub, addressSpaces: [] } }),
    `${place}.hub.addressSpaces: the list is empty`,
    peered({ hub }),
  ],
];
