import fc from "fast-check";

const subnetId = (subscriptionId: string, name: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/network/providers/Microsoft.Network/virtualNetworks/spoke/subnets/${name}`;

/** Ranges of subnets. */
export const subnets = fc.constantFrom(
  {},
  { vnetCidr: "10.20.0.0/16", controlPlaneSubnetCidr: "10.20.1.0/28", nodeSubnetCidr: "10.20.16.0/20" },
  {
    vnetCidr: "10.20.0.0/16",
    controlPlaneSubnetCidr: "10.20.1.0/28",
    nodeSubnetCidr: "10.20.16.0/20",
    poolSubnets: { web: "10.20.64.0/20", other: "10.20.32.0/24" },
  },
);

/** The subnets of `subnets` that have pools, in a VNET of others. */
export const existing = (subscriptionId: string) => ({
  controlPlaneSubnetId: subnetId(subscriptionId, "control-plane"),
  nodeSubnetId: subnetId(subscriptionId, "nodes"),
  poolSubnetIds: { web: subnetId(subscriptionId, "Web"), other: subnetId(subscriptionId, "other") },
  nodeSecurityGroup: "nodes-nsg",
  controlPlaneSecurityGroup: "control-plane-nsg",
  routeTable: "routes",
  egressCidrs: ["198.51.100.10/32"],
});
