import fc from "fast-check";

/** withRightSubnets puts the subscription of the stack into it. */
const subnetId = (name: string): string =>
  `/subscriptions/SUBSCRIPTION/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/${name}`;

/** Ranges of subnets, in a VNET of the stack or of others. */
export const subnets = fc.constantFrom(
  {},
  { vnetCidr: "10.20.0.0/16", controlPlaneSubnetCidr: "10.20.1.0/28", nodeSubnetCidr: "10.20.16.0/20" },
  {
    vnetCidr: "10.20.0.0/16",
    controlPlaneSubnetCidr: "10.20.1.0/28",
    nodeSubnetCidr: "10.20.16.0/20",
    poolSubnets: { web: "10.20.64.0/20", other: "10.20.32.0/24" },
  },
  {
    vnetCidr: "10.20.0.0/16",
    controlPlaneSubnetCidr: "10.20.1.0/28",
    nodeSubnetCidr: "10.20.16.0/20",
    poolSubnets: { web: "10.20.64.0/20", other: "10.20.32.0/24" },
    existing: {
      controlPlaneSubnetId: subnetId("control-plane"),
      nodeSubnetId: subnetId("nodes"),
      poolSubnetIds: { web: subnetId("Web"), other: subnetId("other") },
      nodeSecurityGroup: "nodes-nsg",
      controlPlaneSecurityGroup: "control-plane-nsg",
      routeTable: "routes",
      egressCidrs: ["198.51.100.10/32"],
    },
  },
);
