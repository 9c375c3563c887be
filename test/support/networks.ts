import { existingManagement } from "./stacks";

/* Parts of stack files that tests of networks, rules and add-ons change. */

const vnet = (name: string, subscription: string, group: string) =>
  `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/${name}`;

const own = "11111111-2222-4333-8444-555555555555";

/** A stack with a private API server, whose management cluster is in the VNET `hub`. */
export const privateStack = (apiServer: object = {}, more: object = {}) => ({
  ...existingManagement,
  network: { apiServer: { private: true, linkedVnetIds: [vnet("hub", own, "hub")], ...apiServer } },
  ...more,
});

/** A private stack with a way out, and with other keys of the stack. */
export const privateOutbound = (outbound: object, more: object = {}) => {
  const stack = privateStack();
  return { ...stack, network: { ...stack.network, outbound }, ...more };
};

/** A stack whose AKS cluster is in a network of its own or of others. */
export const aksIn = (network: object, more: object = {}) => ({
  management: { kind: "aks", network, ...more },
});

/** The same with a private API server. */
export const besideAks = (network: object, more: object = {}) => ({
  ...aksIn(network),
  network: { apiServer: { private: true }, ...more },
});

/** A stack in a VNET of others. */
export const existing = (keys: object, more: object = {}, name = "spoke") => ({
  network: {
    ...more,
    existing: {
      controlPlaneSubnetId: `${vnet(name, own, "network")}/subnets/control-plane`,
      nodeSubnetId: `${vnet(name, own, "network")}/subnets/nodes`,
      nodeSecurityGroup: "nodes-nsg",
      egressCidrs: ["198.51.100.10/32"],
      ...keys,
    },
  },
});

/** A hub with a range that nothing of the stack has. */
export const hub = {
  vnetId: vnet("hub", "22222222-2222-4333-8444-555555555555", "hub"),
  addressSpaces: ["10.50.0.0/16"],
};

/** An image for versions that the community gallery has never had. */
export const marketplacePool = { image: { marketplace: {} } };

export const dockershim = {
  controlPlane: marketplacePool,
  flavor: "dockershim",
  kubernetesVersion: "v1.22.9",
};
