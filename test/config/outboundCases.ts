import { minimal } from "../support/stacks";
import { privateStack } from "./apiServerCases";
import type { Case } from "./ruleCases";

const subscriptionId = "11111111-2222-4333-8444-555555555555";
const foreign = "22222222-2222-4333-8444-555555555555";
const id = (type: string, name: string, subscription = subscriptionId) =>
  `/subscriptions/${subscription}/resourceGroups/network/providers/Microsoft.Network/${type}/${name}`;

const place = "network.outbound";
const nat = (keys: object = {}) => ({ network: { outbound: { type: "nat", ...keys } } });
const natOfOthers = (keys: object = {}) => ({
  network: {
    outbound: {
      type: "existingNat",
      natGatewayId: id("natGateways", "natgw"),
      egressCidrs: ["198.51.100.10/32"],
      ...keys,
    },
  },
});

/** A private stack with a way out, and with other keys of the stack. */
export const privateOutbound = (outbound: object, more: object = {}) => {
  const stack = privateStack();
  return { ...stack, network: { ...stack.network, outbound }, ...more };
};
const firewall = (keys: object = { firewallAddress: "10.50.0.4" }, more: object = {}) =>
  privateOutbound({ type: "firewall", ...keys }, more);
const routes = { routeTableId: id("routeTables", "rt") };
const mirrored = (fallback: boolean, more: object = {}) =>
  privateOutbound(
    { type: "none" },
    { registryMirror: { url: "https://mirror.example.com", fallback }, ...more },
  );

const subnet = (name: string) => `${id("virtualNetworks", "spoke")}/subnets/${name}`;
const existing = {
  ...{ controlPlaneSubnetId: subnet("control-plane"), nodeSubnetId: subnet("nodes") },
  ...{ nodeSecurityGroup: "nodes-nsg", egressCidrs: ["198.51.100.10/32"] },
};
const withExisting = { ...privateStack().network, existing };
const sample = (internal: boolean) => ({
  ...{ sampleWorkload: { internal }, windowsPools: { win1: {} } },
  access: { ...(minimal().access as object), allowedCidrs: ["10.60.0.0/24"] },
});

/** Cases of network.outbound. */
export const outboundCases: readonly Case[] = [
  [
    "a way out of subnets of others",
    { network: { existing, outbound: { type: "nat" } } },
    `${place}: the subnets of network.existing have the way out that others gave them, and the stack changes none`,
    { network: { existing } },
  ],
  [
    "a route table of others beside that of an existing VNET",
    privateOutbound(
      { type: "firewall", ...routes },
      { network: { ...withExisting, outbound: { type: "firewall", ...routes } } },
    ),
    `${place}: the subnets of network.existing have the way out that others gave them, and the stack changes none`,
    privateOutbound(
      {},
      { network: { ...withExisting, outbound: { type: "firewall", firewallAddress: "10.50.0.4" } } },
    ),
  ],
  [
    "a firewall of others beside a public API server",
    { network: { existing, outbound: { type: "firewall", firewallAddress: "10.50.0.4" } } },
    `${place}: the API server has a public load balancer, and its answers would leave through the firewall, which drops them because it has not seen the requests`,
    { network: { existing } },
  ],
  [
    "a key of another way out",
    nat({ firewallAddress: "10.50.0.4" }),
    `${place}.firewallAddress: this key belongs to type: firewall, and the type is nat`,
    nat({ addresses: 16, idleTimeoutMinutes: 120 }),
  ],
  [
    "a key of a way out where there is none",
    mirrored(false, { network: { ...privateStack().network, outbound: { type: "none", addresses: 2 } } }),
    `${place}.addresses: this key belongs to type: nat, and the type is none`,
    mirrored(false),
  ],
  [
    "addresses and a prefix of them",
    nat({ addresses: 2, prefixLength: 30 }),
    `${place}: addresses and prefixLength are both set`,
    nat({ prefixLength: 30 }),
  ],
  [
    "more addresses than a NAT gateway has",
    nat({ addresses: 17 }),
    `${place}.addresses: greater than the maximum 16`,
    nat({ addresses: 16 }),
  ],
  [
    "no NAT gateway of others",
    natOfOthers({ natGatewayId: undefined }),
    `${place}.natGatewayId: type: existingNat needs the NAT gateway, and none is named`,
    natOfOthers(),
  ],
  [
    "a NAT gateway of another subscription",
    natOfOthers({ natGatewayId: id("natGateways", "natgw", foreign) }),
    `${place}.natGatewayId: in another subscription than the stack (${subscriptionId}): Azure attaches it only to subnets in the same subscription`,
    natOfOthers({ natGatewayId: id("natGateways", "other") }),
  ],
  [
    "a NAT gateway of others without its addresses, and a public API server",
    natOfOthers({ egressCidrs: undefined }),
    `${place}.egressCidrs: nodes come to the public API server from the addresses of the NAT gateway, and the stack file does not name them`,
    privateOutbound({ type: "existingNat", natGatewayId: id("natGateways", "natgw") }),
  ],
  [
    "a firewall without an address",
    firewall({}),
    `${place}: type: firewall needs the firewall, and none is named`,
    firewall(),
  ],
  [
    "a firewall with two route tables",
    firewall({ firewallAddress: "10.50.0.4", ...routes }),
    `${place}: firewallAddress and routeTableId are both set, and subnets have one route table`,
    firewall(routes),
  ],
  [
    "a route table of another subscription",
    firewall({ routeTableId: id("routeTables", "rt", foreign) }),
    `${place}.routeTableId: in another subscription than the stack (${subscriptionId}): Azure attaches it only to subnets in the same subscription`,
    firewall(routes),
  ],
  [
    "the public address of a firewall",
    firewall({ firewallAddress: "203.0.113.7" }),
    `${place}.firewallAddress: a public address, and packets can be routed only to a private one`,
    firewall({ firewallAddress: "100.64.0.4" }),
  ],
  [
    "a firewall in the subnet of the nodes",
    firewall({ firewallAddress: "10.10.128.4" }),
    `${place}.firewallAddress: in 10.10.128.0/17 (network.nodeSubnetCidr), which has the route: packets of the firewall would be sent back to it`,
    firewall({ firewallAddress: "10.10.64.4" }),
  ],
  [
    "a firewall and a public API server",
    { network: { outbound: { type: "firewall", firewallAddress: "10.50.0.4" } } },
    `${place}: the API server has a public load balancer, and its answers would leave through the firewall, which drops them because it has not seen the requests`,
    firewall(),
  ],
  [
    "no way out and a public API server",
    { network: { outbound: { type: "none" } }, registryMirror: { url: "https://mirror.example.com" } },
    `${place}: the API server has a public address, which machines without a way out cannot reach`,
    mirrored(false),
  ],
  [
    "a firewall and a public sample",
    firewall(undefined, sample(false)),
    `sampleWorkload.internal: the sample has a public load balancer, and its answers would leave through the firewall, which drops them because it has not seen the requests (${place})`,
    firewall(undefined, sample(true)),
  ],
  [
    "no way out and a public sample",
    mirrored(false, sample(false)),
    `sampleWorkload.internal: the sample has a public load balancer, and its answers would have no way out of the VNET (${place})`,
    mirrored(false, sample(true)),
  ],
  [
    "no way out and no mirror",
    privateOutbound({ type: "none" }),
    `${place}: nodes pull images from registries on the Internet, and have no way there`,
    privateOutbound({ type: "none" }, { proxy: { url: "http://proxy.example.com:3128" } }),
  ],
  [
    "no way out and a mirror that is not all",
    mirrored(true),
    `${place}: registryMirror.fallback lets nodes ask registries on the Internet, and they have no way there`,
    mirrored(true, { proxy: { url: "http://proxy.example.com:3128" } }),
  ],
];
