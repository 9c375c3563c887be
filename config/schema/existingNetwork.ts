import { z } from "zod";
import { keyWithDefault, matching, optionalMapping, ownCidr, subnetName } from "./scalars";

/** A VNET of the network team. */

/** ARM ID of a subnet that others have made. */
export const subnetId = (description: string, example: string) =>
  matching(
    /^\/subscriptions\/[^/\s]+\/resourceGroups\/[^/\s]+\/providers\/Microsoft\.Network\/virtualNetworks\/[^/\s]+\/subnets\/[^/\s]+$/i,
    {
      description,
      allowed:
        "/subscriptions/ID/resourceGroups/NAME/providers/Microsoft.Network/virtualNetworks/NAME/subnets/NAME",
      examples: [
        `/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/${example}`,
      ],
    },
  );

/** Azure's names of security groups and route tables ("Naming rules and restrictions for Azure resources"). */
const azureName = (description: string, example: string) =>
  matching(/^[A-Za-z0-9]([-\w.]{0,78}\w)?$/, {
    description: `${description}, in the resource group of the VNET`,
    allowed: "a name of 1–80 characters: letters, digits, _, - and ., and no ARM ID",
    examples: [example],
  });

export const existingNetwork = optionalMapping(
  "A VNET that others have made, in the subscription of the stack: the stack then creates no VNET, subnet, security group, route table, NAT gateway or address of one, and the output networkRequirements says what must exist. vnetCidr, controlPlaneSubnetCidr, nodeSubnetCidr and poolSubnets say the real ranges ([existing VNETs](private-networks.md#an-existing-vnet)). Default: the stack makes its VNET",
  {
    controlPlaneSubnetId: subnetId(
      "Subnet of the control plane, with the range controlPlaneSubnetCidr",
      "control-plane",
    ),
    nodeSubnetId: subnetId(
      "Subnet of all pools that name no other one, with the range nodeSubnetCidr",
      "nodes",
    ),
    poolSubnetIds: keyWithDefault(
      z.record(subnetName, subnetId("A further subnet for pools", "web")),
      {},
      {
        description: "The subnets of network.poolSubnets, by their names there",
        allowed: "a mapping with the names of network.poolSubnets",
        examples: [
          {
            web: "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/web",
          },
        ],
      },
    ),
    nodeSecurityGroup: azureName(
      "Security group of the subnets of pools, into which the cloud provider writes a rule for each Service of type LoadBalancer",
      "nodes-nsg",
    ),
    controlPlaneSecurityGroup: azureName(
      "Security group of the control plane's subnet. Default: nodeSecurityGroup",
      "control-plane-nsg",
    ).optional(),
    routeTable: azureName(
      "Route table of the subnets. Default: none is named; pods need no routes",
      "spoke-routes",
    ).optional(),
    egressCidrs: z
      .array(ownCidr)
      .min(1)
      .meta({
        description:
          "Addresses from which machines leave the VNET, for instance those of its NAT gateway: nodes reach the public address of the API server from there",
        examples: [["203.0.113.10/32"]],
      }),
  },
  {
    controlPlaneSubnetId:
      "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/control-plane",
    nodeSubnetId:
      "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/nodes",
    nodeSecurityGroup: "nodes-nsg",
    egressCidrs: ["203.0.113.10/32"],
  },
);
