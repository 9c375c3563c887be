/** Subnets of one VNET that others have made, in the subscription of the cluster. */
export interface ExistingNetworkIds {
  /** ARM id of the control plane's subnet. */
  controlPlaneSubnetId: string;
  /** ARM id of the subnet of all pools. */
  nodeSubnetId: string;
  /** ARM ids of the further subnets for pools, by the names that pools have for them. Default: none. */
  poolSubnetIds?: Record<string, string> | undefined;
  /** Name of the security group of the subnets of pools, in the resource group of the VNET. */
  nodeSecurityGroup: string;
  /** Name of the security group of the control plane's subnet. Default: nodeSecurityGroup. */
  controlPlaneSecurityGroup?: string | undefined;
  /** Name of the route table of the subnets. Default: none is named. */
  routeTable?: string | undefined;
  /** Addresses from which machines leave the VNET. */
  egressCidrs: string[];
}
