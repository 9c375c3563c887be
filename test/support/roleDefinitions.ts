import type { BuiltInRole } from "capz-windows-platform/azure/roles";

/**
 * Actions of the built-in roles as far as this program's needs go
 * (https://github.com/MicrosoftDocs/azure-docs, articles/role-based-access-control/built-in-roles, 2026-07).
 */
export const permissions: Readonly<Record<BuiltInRole, { actions: string[]; notActions?: string[] }>> = {
  contributor: {
    actions: ["*"],
    notActions: [
      ...["Microsoft.Authorization/*/Delete", "Microsoft.Authorization/*/Write"],
      ...["Microsoft.Authorization/elevateAccess/Action", "Microsoft.Compute/galleries/share/action"],
    ],
  },
  reader: { actions: ["*/read"] },
  networkContributor: {
    actions: [
      ...["Microsoft.Authorization/*/read", "Microsoft.Network/*", "Microsoft.Resources/deployments/*"],
      "Microsoft.Resources/subscriptions/resourceGroups/read",
    ],
  },
  virtualMachineContributor: {
    actions: [
      ...["Microsoft.Authorization/*/read", "Microsoft.Compute/availabilitySets/*"],
      ...["Microsoft.Compute/locations/*", "Microsoft.Compute/virtualMachines/*"],
      "Microsoft.Compute/virtualMachineScaleSets/*",
      ...["Microsoft.Compute/disks/write", "Microsoft.Compute/disks/read", "Microsoft.Compute/disks/delete"],
      "Microsoft.Network/loadBalancers/backendAddressPools/join/action",
      ...["Microsoft.Network/loadBalancers/read", "Microsoft.Network/networkInterfaces/*"],
      ...[
        "Microsoft.Network/networkSecurityGroups/join/action",
        "Microsoft.Network/networkSecurityGroups/read",
      ],
      ...["Microsoft.Network/publicIPAddresses/join/action", "Microsoft.Network/publicIPAddresses/read"],
      ...["Microsoft.Network/virtualNetworks/read", "Microsoft.Network/virtualNetworks/subnets/join/action"],
    ],
  },
  storageAccountContributor: {
    actions: [
      ...["Microsoft.Authorization/*/read", "Microsoft.Storage/storageAccounts/*"],
      "Microsoft.Network/virtualNetworks/subnets/joinViaServiceEndpoint/action",
    ],
  },
  privateDnsZoneContributor: {
    actions: [
      ...["Microsoft.Authorization/*/read", "Microsoft.Network/privateDnsZones/*"],
      ...["Microsoft.Network/virtualNetworks/read", "Microsoft.Network/virtualNetworks/join/action"],
    ],
  },
  acrPull: { actions: ["Microsoft.ContainerRegistry/registries/pull/read"] },
  // These are its dataActions.
  keyVaultCryptoUser: {
    actions: ["read", "update/action", "backup/action", "encrypt/action", "decrypt/action", "wrap/action"]
      .concat("unwrap/action", "sign/action", "verify/action")
      .map((action) => `Microsoft.KeyVault/vaults/keys/${action}`),
  },
};

/** The same for roles of whoever runs the commands. Those on data are their dataActions. */
export const permissionsOfPeople = {
  Contributor: permissions.contributor,
  Reader: permissions.reader,
  "Network Contributor": permissions.networkContributor,
  "Private DNS Zone Contributor": permissions.privateDnsZoneContributor,
  "Key Vault Crypto User": permissions.keyVaultCryptoUser,
  "Role Based Access Control Administrator, with the condition of condition.txt": {
    actions: ["write", "delete"]
      .map((verb) => `Microsoft.Authorization/roleAssignments/${verb}`)
      .concat("*/read"),
  },
  "Azure Kubernetes Service Cluster User Role": {
    actions: ["listClusterUserCredential/action", "read"].map(
      (verb) => `Microsoft.ContainerService/managedClusters/${verb}`,
    ),
  },
  "Storage Blob Data Contributor": {
    actions: ["read", "write", "delete", "move/action", "add/action"].map(
      (verb) => `Microsoft.Storage/storageAccounts/blobServices/containers/blobs/${verb}`,
    ),
  },
};
