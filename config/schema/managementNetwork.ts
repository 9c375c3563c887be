import { z } from "zod";
import { ManagementOutbound } from "capz-windows-platform/azure/managementNetwork";
import { subnetId } from "./existingNetwork";
import {
  armId,
  cidr,
  filledMapping,
  flag,
  keyWithDefault,
  matching,
  optionalFlag,
  optionalKey,
  optionalMapping,
  ownCidr,
} from "./scalars";

/** The network of an AKS management cluster. */

const outbound = filledMapping(
  "How AKS reaches what is outside of its VNET",
  {
    type: keyWithDefault(z.enum(ManagementOutbound), "loadBalancer", {
      description:
        "loadBalancer: an address of the stack on the load balancer of AKS. nat: a NAT gateway of the stack, with vnetCidr. existingNat and firewall: what the subnet of subnetId has, a NAT gateway or a route 0.0.0.0/0. Another type makes another cluster",
      allowed: "loadBalancer, nat, existingNat or firewall",
      examples: ["firewall"],
    }),
    egressCidrs: optionalKey(z.array(ownCidr).min(1), {
      description:
        "existingNat, firewall: addresses from which AKS leaves; workload API servers admit its controllers from there, and its own API server the nodes",
      allowed: "at least one CIDR",
      examples: [["203.0.113.20/32"]],
    }),
  },
  { type: "nat" },
);

const zoneType = "Microsoft.Network/privateDnsZones";

/** The two words that AKS has for zones, and what the stack does for a third one, or an ARM ID. */
const privateDnsZone = matching(
  new RegExp(
    `^(system|none|own|/subscriptions/[^/\\s]+/resourceGroups/[^/\\s]+/providers/${zoneType}/[^/\\s]+)$`,
    "i",
  ),
  {
    description:
      "private: where the private name of the API server is. system: a zone in the resource group of AKS's nodes. own: a zone of the stack. none: no zone, so the public name alone resolves. Or the ARM ID of a zone of others, such as one in a hub. Default: system",
    allowed: `system, none, own, or /subscriptions/ID/resourceGroups/NAME/providers/${zoneType}/NAME`,
    examples: [
      "own",
      `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/dns/providers/${zoneType}/privatelink.westeurope.azmk8s.io`,
    ],
  },
);

const apiServer = filledMapping(
  "Where the API server of AKS is reached",
  {
    private: flag(
      "The API server of AKS has a private address only. Without vnetIntegration this is fixed when the cluster is made",
    ),
    vnetIntegration: flag(
      "The API server has an address in a subnet that is delegated to AKS, and nodes reach it there, without DNS and private link; with vnetCidr the first /28 of it. AKS cannot take it back",
    ),
    subnetId: subnetId(
      "vnetIntegration with network.subnetId: the delegated subnet, /28 or larger, in the same VNET",
      "aks-api-server",
    ).optional(),
    privateDnsZone: privateDnsZone.optional(),
    publicFqdn: optionalFlag(
      "private: a public name resolves to the private address, everywhere and without a zone; the kubeconfig has it. Default: true",
      false,
    ),
    linkedVnetIds: keyWithDefault(
      z.array(
        armId("Another VNET in which the name resolves", "Microsoft.Network/virtualNetworks", "hub-vnet"),
      ),
      [],
      {
        description: "privateDnsZone: own: VNETs beside that of AKS in which the private name resolves",
        allowed: "a list of ARM IDs of VNETs",
        examples: [
          [
            "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet",
          ],
        ],
      },
    ),
  },
  { private: true },
);

export const managementNetwork = optionalMapping(
  "A VNET for AKS that can be peered, of the stack (vnetCidr) or of others (subnetId). It is fixed when the cluster is made ([shared management](shared-management.md#in-a-private-network)). Default: a VNET of AKS with 10.224.0.0/12",
  {
    vnetCidr: cidr.optional().meta({
      description:
        "Range of a VNET that the stack makes for AKS, /8 to /26; its upper half is for nodes. Pods have 10.244.0.0/16 and Services 10.245.0.0/16 in every case",
      examples: ["10.50.0.0/24"],
    }),
    subnetId: subnetId(
      "Subnet for the nodes that others have made, in the subscription of the stack, instead of vnetCidr",
      "aks-management",
    ).optional(),
    outbound,
    apiServer,
  },
  { vnetCidr: "10.50.0.0/24" },
);
