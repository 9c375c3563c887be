import { privateApiServerHost } from "./privateApiServer";

/** Names of a workload cluster's resources; all of them are known before the deployment. */

/** 32-bit FNV-1a hash of a text in lower-case hexadecimal without padding, as Go's %x prints it. */
export function fnv1a32(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, "utf8")) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash.toString(16);
}

/** The values that determine the host name of a cluster's API server. */
export interface ClusterIdentity {
  readonly clusterName: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly location: string;
  /** Private DNS zone of an API server without a public address. Default: it has one. */
  readonly privateZone?: string | undefined;
}

/** Name that CAPZ gives the public IP of the API server's load balancer. */
export const apiServerPublicIpName = (clusterName: string): string => `pip-${clusterName}-apiserver`;

/**
 * Host name of the workload API server. CAPZ derives the DNS label from subscription, resource group and public IP
 * name (CAPZ v1.27.0 azure/scope/cluster.go, GenerateFQDN), so it is known before the deployment.
 */
export function apiServerHost({
  clusterName,
  subscriptionId,
  resourceGroup,
  location,
  privateZone,
}: ClusterIdentity): string {
  if (privateZone !== undefined) {
    return privateApiServerHost(privateZone);
  }
  const label = fnv1a32(`${subscriptionId}/${resourceGroup}/${apiServerPublicIpName(clusterName)}`);
  return `${clusterName}-${label}.${location}.cloudapp.azure.com`.toLowerCase();
}

export const apiServerPort = 6443;

export const nodeSubnetName = "node-subnet";
export const controlPlaneSubnetName = "control-plane-subnet";

/**
 * Names of the network resources. The security groups and the route table have CAPZ's default names, so the names in
 * azure.json, which CAPZ writes for the cloud provider, are correct whether CAPZ reads them or uses its defaults.
 */
export const networkNames = (clusterName: string) => ({
  vnet: `${clusterName}-vnet`,
  controlPlaneSubnet: controlPlaneSubnetName,
  nodeSubnet: nodeSubnetName,
  controlPlaneNsg: `${clusterName}-controlplane-nsg`,
  nodeNsg: `${clusterName}-node-nsg`,
  routeTable: `${clusterName}-node-routetable`,
  natGateway: `${clusterName}-node-natgw`,
  natPublicIp: `pip-${clusterName}-node-natgw`,
  /** With the length, which Azure does not change: another one is another prefix. */
  natPublicIpPrefix: (length: number) => `ippre-${clusterName}-node-natgw-${length}`,
});

export const controlPlaneName = (clusterName: string): string => `${clusterName}-control-plane`;

/** Secret that CAPZ's azurejson controllers create for each machine template or machine pool. */
export const azureJsonSecret = (ownerName: string): string => `${ownerName}-azure-json`;

/** Secret in which the control plane provider stores the kubeconfig, under the key `value`. */
export const kubeconfigSecret = (clusterName: string): string => `${clusterName}-kubeconfig`;

/** Name of the identity with which the machines of pools pull images. */
export const pullIdentityName = (clusterName: string): string => `${clusterName}-pull`;

/** ARM ID of a user-assigned managed identity. */
export const identityId = (subscriptionId: string, resourceGroup: string, name: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
