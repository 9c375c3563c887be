/** Kinds whose conditions and events contain Azure's answers. */
export const azureKinds = [
  ...["AzureCluster", "ResourceGroup", "VirtualNetwork", "NatGateway", "VirtualNetworksSubnet"],
  ...["AzureMachineTemplate", "AzureMachine", "AzureMachinePool", "AzureMachinePoolMachine"],
] as const;

export const capzSource = "CAPZ v1.27.0";
export const capiSource = "Cluster API v1.14.2";
export const azureDocs = "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting";
export const entraDocs = "https://learn.microsoft.com/entra/identity-platform/reference-error-codes";
