import { z } from "zod";
import { isJump } from "capz-windows-platform/cluster/wayIn";
import { BastionKind, bastionPrefix } from "capz-windows-platform/network/bastion";
import { armId, cidr, distinctZones, keyWithDefault, optionalKey, optionalMapping, ownCidr } from "./scalars";

/** How people reach machines by ssh and RDP without a public port. */

export const bastion = optionalMapping(
  "How people reach machines by ssh and RDP; with it, no machine has a public port for ssh ([ways in](private-networks.md#ways-in)). Default: through the control plane",
  {
    kind: z.enum(BastionKind).meta({
      description:
        "stack: an Azure Bastion of the stack, of the SKU Standard. existing: one of others. jumpHost: a machine of yours that reaches the VNET. none: the control plane, as without this key; a range keeps its subnet, which is the step before the key is removed",
      allowed: "stack, existing, jumpHost or none",
      examples: ["stack"],
    }),
    range: cidr.optional().meta({
      description: `Range of the subnet AzureBastionSubnet in the VNET of the stack, /${bastionPrefix} or larger; kind: stack needs it. With another kind the subnet stays, without a Bastion`,
      examples: ["10.10.1.0/26"],
    }),
    allowedCidrs: optionalKey(z.array(ownCidr).min(1), {
      description:
        "stack: public networks from which people come to the Bastion (TCP 443), at least one. Default: access.allowedCidrs, which must then have one",
      examples: [["203.0.113.0/24"]],
    }),
    zones: keyWithDefault(distinctZones, [], {
      description:
        "stack: availability zones of the Bastion and its public address, in a region that has them; a change replaces both. Default: none",
      allowed: 'a list of "1", "2" and "3", each at most once',
      examples: [["1", "2", "3"]],
    }),
    bastionId: armId(
      "existing: the Azure Bastion, in a VNET that is peered with that of the cluster or in a VNET of others (network.existing), with native client support and connections by address",
      "Microsoft.Network/bastionHosts",
      "hub-bastion",
    ).optional(),
    jumpHost: optionalKey(z.string().refine(isJump), {
      description: "jumpHost: login and address of the machine",
      allowed: "[USER@]HOST[:PORT]; without USER it is capi",
      examples: ["ops@10.50.0.10"],
    }),
  },
  { kind: "stack", range: "10.10.1.0/26" },
);
