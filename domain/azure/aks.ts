/** Plain values of the AKS management cluster. */

/**
 * Addresses inside AKS. The SDK's own defaults (10.0.0.0/16, 10.244.0.0/16) are written out or replaced, so that they
 * stay clear of the VNET that AKS makes (10.224.0.0/12) and of ours.
 */
export const aksNetwork = {
  podCidr: "10.244.0.0/16",
  serviceCidr: "10.245.0.0/16",
  dnsServiceIP: "10.245.0.10",
} as const;

/** What a management cluster gets when nobody says otherwise: the four providers fit on three nodes of this size. */
export const defaultAks = {
  kubernetesVersion: "1.35",
  nodeSize: "Standard_D4s_v5",
  nodeCount: 3,
  maxNodeCount: 5,
} as const;

export const managementNames = (clusterName: string) => ({
  cluster: `${clusterName}-management`,
  resourceGroup: `${clusterName}-management`,
  nodeResourceGroup: `${clusterName}-management-nodes`,
  identity: `${clusterName}-management-aks`,
  // AKS takes at most 54 characters, and a cluster's name may have 44.
  dnsPrefix: `${clusterName}-mgmt`,
  egressIp: `pip-${clusterName}-management-egress`,
});

/** ARM id of the AKS cluster: as `clusterIdentifier` it changes exactly when the cluster is another one. */
export const aksId = (subscriptionId: string, resourceGroup: string, name: string): string =>
  `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.ContainerService/managedClusters/${name}`;
