import type { ManagementOutbound } from "capz-windows-platform/azure/managementNetwork";

/** How AKS reaches what is outside of its VNET. */
export interface AksOutboundArgs {
  /** The way out. Default: loadBalancer. */
  type?: ManagementOutbound;
  /** existingNat, firewall: addresses from which AKS leaves. */
  egressCidrs?: string[] | undefined;
}

/** Where the API server of AKS is reached. */
export interface AksApiServerArgs {
  /** Whether it has a private address only. Default: false. */
  private?: boolean | undefined;
  /** Whether it is in a delegated subnet of the VNET. Default: false. */
  vnetIntegration?: boolean | undefined;
  /** ARM id of the delegated subnet, in a VNET of others. */
  subnetId?: string | undefined;
  /** private: `system`, `none`, `own`, or the ARM id of a zone of others. Default: system. */
  privateDnsZone?: string | undefined;
  /** private: whether a public name resolves to the private address. Default: true. */
  publicFqdn?: boolean | undefined;
  /** privateDnsZone own: ARM ids of further VNETs in which the private name resolves. Default: none. */
  linkedVnetIds?: string[] | undefined;
}

/** A VNET for AKS: of this program (vnetCidr), or of others (subnetId). */
export interface AksNetworkArgs {
  /** Range of the VNET that is made. */
  vnetCidr?: string | undefined;
  /** ARM id of a subnet for the nodes that others have made. */
  subnetId?: string | undefined;
  /** How AKS reaches what is outside of its VNET. */
  outbound?: AksOutboundArgs | undefined;
  /** Where its API server is reached. Default: a public address. */
  apiServer?: AksApiServerArgs | undefined;
}
