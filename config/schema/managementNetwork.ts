import { z } from "zod";
import { ManagementOutbound } from "../../platform/azure/managementNetwork";
import { subnetId } from "./existingNetwork";
import { cidr, ownCidr } from "./scalars";

/** The network of an AKS management cluster. */

const outbound = z
  .strictObject({
    type: z
      .enum(ManagementOutbound)
      .default("loadBalancer")
      .meta({
        description:
          "loadBalancer: an address of the stack on the load balancer of AKS. nat: a NAT gateway of the stack, with vnetCidr. existingNat and firewall: what the subnet of subnetId has, a NAT gateway or a route 0.0.0.0/0. Another type makes another cluster",
        allowed: "loadBalancer, nat, existingNat or firewall",
        examples: ["firewall"],
      }),
    egressCidrs: z
      .array(ownCidr)
      .min(1)
      .optional()
      .meta({
        description:
          "existingNat, firewall: addresses from which AKS leaves; workload API servers admit its controllers from there, and its own API server the nodes",
        allowed: "at least one CIDR",
        examples: [["203.0.113.20/32"]],
      }),
  })
  .prefault({})
  .meta({
    description: "How AKS reaches what is outside of its VNET",
    examples: [{ type: "nat" }],
  });

export const managementNetwork = z
  .strictObject({
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
  })
  .optional()
  .meta({
    description:
      "A VNET for AKS that can be peered, of the stack (vnetCidr) or of others (subnetId). It is fixed when the cluster is made ([shared management](shared-management.md#in-a-private-network)). Default: a VNET of AKS with 10.224.0.0/12",
    examples: [{ vnetCidr: "10.50.0.0/24" }],
  });
