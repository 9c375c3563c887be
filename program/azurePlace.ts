import type { Settings } from "../config/settings";

/** Where in Azure the workload cluster lives. */
export const azurePlace = ({ azure, clusterName }: Settings) => ({
  clusterName,
  subscriptionId: azure.subscriptionId,
  resourceGroup: azure.resourceGroup,
  location: azure.location,
});
