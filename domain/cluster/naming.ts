/** Names of everything around one workload cluster; each is known before anything is deployed. */

/** 32-bit FNV-1a of a text, lower-case hexadecimal without padding, as Go prints it with %x. */
export function fnv1a32(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, "utf8")) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193) >>> 0;
  }
  return hash.toString(16);
}

export interface ClusterPlace {
  readonly clusterName: string;
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly location: string;
}

/** Name that CAPZ gives the public IP of the API server's load balancer. */
export const apiServerPublicIpName = (clusterName: string): string => `pip-${clusterName}-apiserver`;

/**
 * Host of the workload API server. CAPZ derives the DNS label from subscription, resource group and public IP
 * name (CAPZ v1.26.0 azure/scope/cluster.go, GenerateFQDN), so that it is known before deployment.
 */
export function apiServerHost({
  clusterName,
  subscriptionId,
  resourceGroup,
  location,
}: ClusterPlace): string {
  const label = fnv1a32(`${subscriptionId}/${resourceGroup}/${apiServerPublicIpName(clusterName)}`);
  return `${clusterName}-${label}.${location}.cloudapp.azure.com`.toLowerCase();
}

export const apiServerPort = 6443;

/**
 * Names of the network objects. Security group and route table equal CAPZ's own defaults: what CAPZ writes into
 * azure.json for the cloud provider is right then, whichever way it learns the names.
 */
export const networkNames = (clusterName: string) => ({
  vnet: `${clusterName}-vnet`,
  controlPlaneSubnet: "control-plane-subnet",
  nodeSubnet: "node-subnet",
  controlPlaneNsg: `${clusterName}-controlplane-nsg`,
  nodeNsg: `${clusterName}-node-nsg`,
  routeTable: `${clusterName}-node-routetable`,
  natGateway: `${clusterName}-node-natgw`,
  natPublicIp: `pip-${clusterName}-node-natgw`,
});

export const controlPlaneName = (clusterName: string): string => `${clusterName}-control-plane`;

/** Secret that CAPZ's azurejson controllers write beside each template or pool. */
export const azureJsonSecret = (ownerName: string): string => `${ownerName}-azure-json`;

/** Secret in which the control plane provider puts the kubeconfig, under the key `value`. */
export const kubeconfigSecret = (clusterName: string): string => `${clusterName}-kubeconfig`;

/** ARM id of a user-assigned managed identity. */
export const identityId = (subscriptionId: string, resourceGroup: string, name: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
