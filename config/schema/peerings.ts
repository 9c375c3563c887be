import { z } from "zod";
import { azureDns, RemoteSide } from "capz-windows-platform/company-network/peerings";
import { armId, flag, keyWithDefault, mapping, matching, ownCidr } from "./scalars";

/** VNETs of others with which the VNET of the stack is peered, and the DNS servers that are reached there. */

const hub =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet";

const peering = mapping("A peering of the VNET of the stack with another one", {
  vnetId: armId(
    "The other VNET, in any subscription of the tenant",
    "Microsoft.Network/virtualNetworks",
    "hub-vnet",
  ),
  addressSpaces: z
    .array(ownCidr)
    .min(1)
    .meta({
      description:
        "All ranges of the other VNET. None may overlap those of the VNET, the pods, the Services and other peerings; preflight compares them with Azure",
      examples: [["10.50.0.0/16"]],
    }),
  remoteSide: keyWithDefault(z.enum(RemoteSide), "manual", {
    description:
      "Who makes the side of the other VNET: stack, with the right to write peerings there, or manual: the plan has the command for whoever owns it",
    allowed: "stack or manual",
    examples: ["stack"],
  }),
  allowForwardedTraffic: flag(
    "Let packets in that the other VNET only forwards: through its firewall, or from other spokes",
    true,
  ),
  useRemoteGateways: flag(
    "Reach other networks through the VPN or ExpressRoute gateway of the other VNET, whose side then allows gateway transit. One peering only",
  ),
});

/** Part of names of resources, and of logical names. */
const peeringName = matching(/^[a-z][-a-z0-9]{0,38}[a-z0-9]$/, {
  allowed: "2–40 characters: a–z, 0–9 and -, starting with a letter",
  examples: ["hub"],
});

export const peerings = keyWithDefault(
  z.record(peeringName, peering),
  {},
  {
    description:
      "VNETs with which that of the stack is peered, each under a name of yours ([hub and spoke](private-networks.md#hub-and-spoke)). Default: none",
    allowed: "a mapping of names to peerings",
    examples: [{ hub: { vnetId: hub, addressSpaces: ["10.50.0.0/16"] } }],
  },
);

export const dnsServers = z
  .array(z.ipv4().meta({ allowed: "an IPv4 address", examples: ["10.50.0.68"] }))
  .min(1)
  // learn.microsoft.com, "Azure subscription and service limits": 20 DNS servers in a VNET.
  .max(20)
  .optional()
  .meta({
    description: `DNS servers of the VNET. They must forward the names of private zones, and what they do not know themselves, to ${azureDns}; names of machines no longer resolve ([DNS servers](private-networks.md#dns-servers)). Default: those of Azure`,
    examples: [["10.50.0.68", "10.50.0.69"]],
  });
