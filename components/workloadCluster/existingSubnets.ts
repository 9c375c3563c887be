import type { AzureClusterSpec } from "capz-types/crds/azure";
import { subnetParts, type ExistingNetworkIds } from "capz-windows-platform/company-network/existingNetwork";
import { subnetsByName } from "capz-windows-platform/network/addressing";
import { ownValue } from "capz-windows-kit/untyped";

type NetworkSpec = NonNullable<AzureClusterSpec["networkSpec"]>;
type Subnet = NonNullable<NetworkSpec["subnets"]>[number];

interface Ranges {
  readonly vnetCidr: string;
  readonly controlPlaneSubnetCidr: string;
  readonly nodeSubnetCidr: string;
  readonly poolSubnets?: Readonly<Record<string, string>> | undefined;
}

/**
 * The networkSpec for a VNET that others have made. A subnet of nodes without `id` gets a NAT gateway with a
 * public address by CAPZ's webhook, even in a VNET that CAPZ does not manage (CAPZ v1.27.0
 * internal/api/v1beta1/azurecluster_default.go; CAPZ issues 5262 and 5815), so each has its id, and none names one.
 */
export function existingNetworkSpec(
  existing: ExistingNetworkIds,
  { vnetCidr, controlPlaneSubnetCidr, nodeSubnetCidr, poolSubnets = {} }: Ranges,
): NetworkSpec {
  const { nodeSecurityGroup, controlPlaneSecurityGroup = nodeSecurityGroup, poolSubnetIds = {} } = existing;
  const { resourceGroup, vnet } = subnetParts(existing.nodeSubnetId);
  const subnet = (id: string, cidr: string, role: "control-plane" | "node", securityGroup: string) => ({
    id,
    name: subnetParts(id).subnet,
    role,
    cidrBlocks: [cidr],
    securityGroup: { name: securityGroup },
    ...(existing.routeTable === undefined
      ? {}
      : ({ routeTable: { name: existing.routeTable } } satisfies Partial<Subnet>)),
  });
  return {
    vnet: { resourceGroup, name: vnet, cidrBlocks: [vnetCidr] },
    subnets: [
      subnet(
        existing.controlPlaneSubnetId,
        controlPlaneSubnetCidr,
        "control-plane",
        controlPlaneSecurityGroup,
      ),
      subnet(existing.nodeSubnetId, nodeSubnetCidr, "node", nodeSecurityGroup),
      ...subnetsByName(poolSubnets).flatMap(([name, cidr]) => {
        const id = ownValue(poolSubnetIds, name);
        return id === undefined ? [] : [subnet(id, cidr, "node", nodeSecurityGroup)];
      }),
    ],
  };
}
