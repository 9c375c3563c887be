import type { Case } from "./ruleCases";

const subscriptionId = "11111111-2222-4333-8444-555555555555";
const subnet = (name: string, vnet = "spoke", subscription = subscriptionId) =>
  `/subscriptions/${subscription}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/${vnet}/subnets/${name}`;

/** A stack in a VNET of others. */
export const existing = (keys: object, more: object = {}) => ({
  network: {
    ...more,
    existing: {
      controlPlaneSubnetId: subnet("control-plane"),
      nodeSubnetId: subnet("nodes"),
      nodeSecurityGroup: "nodes-nsg",
      egressCidrs: ["198.51.100.10/32"],
      ...keys,
    },
  },
});

const foreign = "22222222-2222-4333-8444-555555555555";
const web = { poolSubnets: { web: "10.10.64.0/24" } };

/** Cases of network.existing. */
export const existingNetworkCases: readonly Case[] = [
  [
    "a subnet of another subscription",
    existing({ nodeSubnetId: subnet("nodes", "spoke", foreign) }),
    `network.existing.nodeSubnetId: in another subscription than the stack (${subscriptionId}): Azure attaches machines only to VNETs of their own subscription`,
    existing({}),
  ],
  [
    "subnets of two VNETs",
    existing({ nodeSubnetId: subnet("nodes", "other") }),
    "network.existing.nodeSubnetId: in another VNET than network.existing.controlPlaneSubnetId: a cluster is in one VNET",
    existing({ nodeSubnetId: subnet("nodes", "SPOKE") }),
  ],
  [
    "one subnet for control plane and nodes",
    existing({ nodeSubnetId: subnet("CONTROL-plane") }),
    "network.existing.nodeSubnetId: the same subnet as network.existing.controlPlaneSubnetId",
    existing({}),
  ],
  [
    "a subnet of pools without its id",
    existing({}, web),
    "network.existing.poolSubnetIds.web: network.poolSubnets has web, and nothing says which subnet of the VNET it is",
    existing({ poolSubnetIds: { web: subnet("web") } }, web),
  ],
  [
    "the id of a subnet of pools without its range",
    existing({ poolSubnetIds: { web: subnet("web") } }),
    "network.existing.poolSubnetIds.web: network.poolSubnets has no web, so its range is not known",
    existing({ poolSubnetIds: { web: subnet("web") } }, web),
  ],
];
