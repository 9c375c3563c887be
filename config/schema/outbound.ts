import { z } from "zod";
import {
  natAddresses,
  natIdleMinutes,
  natPorts,
  natPrefixes,
  OutboundType,
} from "capz-windows-platform/company-network/outbound";
import { armId, optionalKey, ownCidr } from "./scalars";

/** How machines in the VNET of the stack reach what is outside of it. */

const example = (type: string, name: string) =>
  `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/${type}/${name}`;

export const outbound = z
  .strictObject({
    type: z.enum(OutboundType).meta({
      description:
        "nat: a NAT gateway of the stack. existingNat: one of others. firewall: a route 0.0.0.0/0 to a firewall. none: no way out but a proxy or a mirror in the network. The last two need a private API server. With network.existing only firewall with firewallAddress: others make the route",
      allowed: "nat, existingNat, firewall or none",
      examples: ["firewall"],
    }),
    addresses: optionalKey(z.int().min(natAddresses.min).max(natAddresses.max), {
      description: `nat: how many public addresses the NAT gateway has; each gives ${natPorts} connections to one target. Default: 1`,
      examples: [2],
    }),
    prefixLength: optionalKey(z.int().min(natPrefixes.min).max(natPrefixes.max), {
      description:
        "nat: length of one prefix of public addresses that the NAT gateway has instead: /31 has 2, /28 has 16. It cannot be added to a cluster that exists. Default: single addresses",
      examples: [30],
    }),
    idleTimeoutMinutes: optionalKey(z.int().min(natIdleMinutes.min).max(natIdleMinutes.max), {
      description: "nat: minutes after which the NAT gateway forgets an idle connection. Default: 4",
      examples: [10],
    }),
    natGatewayId: armId(
      "existingNat: the NAT gateway, in the subscription and region of the stack, and attached to no other VNET",
      "Microsoft.Network/natGateways",
      "natgw-spoke",
    ).optional(),
    egressCidrs: optionalKey(z.array(ownCidr).min(1), {
      description: "existingNat: its public addresses, by which nodes come to a public API server",
      examples: [["203.0.113.10/32"]],
    }),
    firewallAddress: optionalKey(z.ipv4(), {
      description:
        "firewall: its private address, in a peered VNET or in a part of this one that is no subnet of the cluster",
      allowed: "a private IPv4 address",
      examples: ["10.50.0.4"],
    }),
    routeTableId: armId(
      "firewall: a route table of others that leads there, instead of firewallAddress",
      "Microsoft.Network/routeTables",
      "rt-spoke",
    ).optional(),
  })
  .optional()
  .meta({
    description:
      "How machines reach what is outside of the VNET ([ways out](private-networks.md#ways-out)). Default: by a NAT gateway of the stack with one public address",
    examples: [
      { type: "nat", addresses: 2 },
      { type: "existingNat", natGatewayId: example("natGateways", "natgw-spoke") },
    ],
  });
