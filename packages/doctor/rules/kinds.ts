/** Kinds whose conditions and events contain Azure's answers. */
export const azureKinds = [
  ...["AzureCluster", "ResourceGroup", "VirtualNetwork", "NatGateway", "VirtualNetworksSubnet"],
  ...["AzureMachineTemplate", "AzureMachine", "AzureMachinePool", "AzureMachinePoolMachine"],
] as const;
