import type { BuiltInRole, CustomRoles } from "./roles";

/** Who does what in Azure, and why each role is assigned. test/rights/rights.test.ts compares the two. */

export type Principal = "management cluster" | "controllers" | "control plane" | "pull";

/** Kinds of scopes, as the last type in their ARM IDs. */
export type ScopeKind =
  | "subscriptions"
  | "resourceGroups"
  | "subnets"
  | "virtualNetworks"
  | "privateDnsZones"
  | "networkSecurityGroups"
  | "publicIPAddresses"
  | "diskEncryptionSets"
  | "registries"
  | "keys";

export const scopeKind = (scope: string): string => scope.split("/").at(-2) ?? "";

/** Why a principal has a role at a kind of scope. */
export interface RightReason {
  readonly principal: Principal;
  readonly role: BuiltInRole;
  readonly scope: ScopeKind;
  readonly why: string;
  /** What it is needed for: actions of Azure. A custom role of these is enough. */
  readonly actions: readonly string[];
}

const of = (type: string, ...verbs: readonly string[]): string[] => verbs.map((verb) => `${type}/${verb}`);

const managed = ["read", "write", "delete"] as const;

/**
 * Requests of CAPZ v1.27.0 and of Azure Service Operator, as the simulated Azure of test/life sees them, and what Azure checks
 * at other resources that a request names: join/action and assign/action (linked access checks).
 */
const controllersInGroup = [
  ...of("Microsoft.Resources/subscriptions/resourceGroups", "read"),
  ...of("Microsoft.Resources/tags", "read", "write", "delete"),
  ...of("Microsoft.Compute/virtualMachines", ...managed),
  ...of("Microsoft.Compute/virtualMachines/extensions", "read", "write"),
  ...of("Microsoft.Compute/virtualMachineScaleSets", ...managed),
  ...of("Microsoft.Compute/virtualMachineScaleSets/virtualMachines", "read", "delete"),
  ...of("Microsoft.Compute/disks", "read", "delete"),
  ...of("Microsoft.Compute/availabilitySets", ...managed),
  ...of("Microsoft.Network/networkInterfaces", ...managed, "join/action"),
  ...of("Microsoft.Network/loadBalancers", ...managed),
  ...of("Microsoft.Network/loadBalancers/inboundNatRules", ...managed, "join/action"),
  ...of("Microsoft.Network/loadBalancers/backendAddressPools", "join/action"),
  ...of("Microsoft.Network/publicIPAddresses", ...managed, "join/action"),
  ...of("Microsoft.Network/virtualNetworks", "read"),
  ...of("Microsoft.Network/virtualNetworks/subnets", "read", "join/action"),
  ...of("Microsoft.Network/natGateways", "read"),
  ...of("Microsoft.Network/networkSecurityGroups", "read", "join/action"),
  ...of("Microsoft.Network/routeTables", "read"),
  ...of("Microsoft.ManagedIdentity/userAssignedIdentities", "read", "assign/action"),
];

/** The same for the private link service of an API server (network.apiServer.privateLink). */
export const linkServiceActions = [
  ...of("Microsoft.Network/privateLinkServices", ...managed),
  ...of("Microsoft.Network/loadBalancers/frontendIPConfigurations", "join/action"),
];

const subnetUse = of("Microsoft.Network/virtualNetworks/subnets", "read", "join/action");

/**
 * https://kubernetes-sigs.github.io/cloud-provider-azure/topics/azure-permissions/ without what this program does not use:
 * routes (the pod network is VXLAN) and private link services. Whoever writes a machine, to attach a disk, must also be allowed
 * to join its interface and its security group (https://github.com/kubernetes-sigs/azuredisk-csi-driver/pull/1932).
 */
const cloudProviderNetwork = [
  ...of("Microsoft.Network/loadBalancers", ...managed),
  ...of("Microsoft.Network/loadBalancers/backendAddressPools", ...managed, "join/action"),
  ...of("Microsoft.Network/publicIPAddresses", ...managed, "join/action"),
  ...of("Microsoft.Network/networkSecurityGroups", "read", "write", "join/action"),
  ...of("Microsoft.Network/networkInterfaces", "read", "write", "join/action"),
  ...of("Microsoft.Network/virtualNetworks", "read"),
  ...subnetUse,
];

const cloudProviderMachines = [
  ...of("Microsoft.Compute/virtualMachines", "read", "write"),
  ...of("Microsoft.Compute/virtualMachineScaleSets", "read", "write"),
  ...of("Microsoft.Compute/virtualMachineScaleSets/virtualMachines", "read", "write"),
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/instanceView/read",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces/read",
  "Microsoft.Compute/virtualMachineScaleSets/virtualMachines/networkInterfaces/ipConfigurations/publicIPAddresses/read",
  ...of("Microsoft.Compute/disks", ...managed),
];

export const reasons: readonly RightReason[] = [
  {
    principal: "management cluster",
    role: "networkContributor",
    scope: "publicIPAddresses",
    why: "AKS gives the address of the stack to its load balancer, so that outbound traffic has an address that is known before",
    actions: of("Microsoft.Network/publicIPAddresses", "read", "join/action"),
  },
  {
    principal: "management cluster",
    role: "networkContributor",
    scope: "subnets",
    why: "attaches the nodes of AKS, and internal load balancers, to their subnet",
    actions: of("Microsoft.Network/virtualNetworks/subnets", "read", "join/action"),
  },
  {
    principal: "management cluster",
    role: "networkContributor",
    scope: "virtualNetworks",
    why: "links the zone of its API server to the VNET",
    actions: of("Microsoft.Network/virtualNetworks", "read", "join/action"),
  },
  {
    principal: "management cluster",
    role: "privateDnsZoneContributor",
    scope: "privateDnsZones",
    why: "writes the record of its API server, and the link of the zone",
    actions: [
      ...of("Microsoft.Network/privateDnsZones", "read"),
      ...of("Microsoft.Network/privateDnsZones/A", ...managed),
      ...of("Microsoft.Network/privateDnsZones/virtualNetworkLinks", ...managed),
    ],
  },
  {
    principal: "controllers",
    role: "contributor",
    scope: "resourceGroups",
    why: "makes, changes and deletes machines, scale sets, network interfaces, the load balancer and address of the API server, and gives machines the identities of the stack",
    actions: controllersInGroup,
  },
  {
    principal: "controllers",
    role: "reader",
    scope: "subscriptions",
    why: "lists VM sizes and their zones, which Azure answers for a subscription only",
    actions: ["Microsoft.Compute/skus/read"],
  },
  {
    principal: "controllers",
    role: "networkContributor",
    scope: "subnets",
    why: "attaches machines and load balancers to a subnet of others",
    actions: subnetUse,
  },
  {
    principal: "control plane",
    role: "networkContributor",
    scope: "resourceGroups",
    why: "makes load balancers, addresses and security rules for Services of type LoadBalancer",
    actions: cloudProviderNetwork,
  },
  {
    principal: "control plane",
    role: "virtualMachineContributor",
    scope: "resourceGroups",
    why: "makes disks for volumes, attaches them, and adds machines to load balancers",
    actions: cloudProviderMachines,
  },
  {
    principal: "control plane",
    role: "storageAccountContributor",
    scope: "resourceGroups",
    why: "makes storage accounts for volumes on Azure Files, and reads their keys",
    // Shares by Azure's API: https://github.com/kubernetes-sigs/azurefile-csi-driver/issues/805
    actions: [
      ...of("Microsoft.Storage/storageAccounts", ...managed, "listKeys/action"),
      ...of("Microsoft.Storage/storageAccounts/fileServices", "read", "write"),
      ...of("Microsoft.Storage/storageAccounts/fileServices/shares", ...managed),
    ],
  },
  {
    principal: "control plane",
    role: "reader",
    scope: "diskEncryptionSets",
    why: "attaches data disks that are encrypted with the set",
    actions: ["Microsoft.Compute/diskEncryptionSets/read"],
  },
  {
    principal: "control plane",
    role: "keyVaultCryptoUser",
    scope: "keys",
    why: "encrypts the keys by which API servers encrypt Secrets in etcd, and decrypts them (controlPlane.encryption.keyVaultKeys)",
    actions: of("Microsoft.KeyVault/vaults/keys", "encrypt/action", "decrypt/action"),
  },
  {
    principal: "control plane",
    role: "networkContributor",
    scope: "subnets",
    why: "gives internal load balancers of Services addresses in a subnet of others",
    actions: subnetUse,
  },
  {
    principal: "control plane",
    role: "networkContributor",
    scope: "networkSecurityGroups",
    why: "writes a security rule for each Service of type LoadBalancer",
    actions: of("Microsoft.Network/networkSecurityGroups", "read", "write"),
  },
  {
    principal: "pull",
    role: "acrPull",
    scope: "registries",
    why: "pulls images",
    actions: ["Microsoft.ContainerRegistry/registries/pull/read"],
  },
];

/** Actions on what is in a resource, which roles have apart from those on the resource itself. */
export const isDataAction = (action: string): boolean => action.startsWith("Microsoft.KeyVault/vaults/keys/");

export const reasonFor = (
  principal: Principal,
  role: BuiltInRole | undefined,
  scope: string,
): RightReason | undefined =>
  reasons.find((one) => one.principal === principal && one.role === role && one.scope === scopeKind(scope));

/** The key of azure.roles for a reason; none where no custom role takes the place of the built-in one. */
export function customKey({ principal, role }: RightReason): keyof CustomRoles | undefined {
  // By Reader on the subscription, CAPZ also reads what the stack file names in groups of others.
  if (role === "reader") {
    return undefined;
  }
  return customKeys[principal];
}

const customKeys: Readonly<Partial<Record<Principal, keyof CustomRoles>>> = {
  controllers: "controllers",
  "control plane": "controlPlane",
};

/** What a custom role of a principal is for at a scope. */
export const customReasons = (principal: Principal, scope: string, fileShares: boolean): RightReason[] =>
  reasons.filter(
    (one) =>
      one.principal === principal &&
      one.scope === scopeKind(scope) &&
      customKey(one) !== undefined &&
      (fileShares || one.role !== "storageAccountContributor"),
  );

/** Built-in roles that a stack with these custom roles assigns no more. */
export const replacedRoles = (keys: readonly string[]): BuiltInRole[] => {
  const left = reasons.filter((one) => !keys.some((key) => key === customKey(one)));
  return [...new Set(reasons.map(({ role }) => role))].filter(
    (role) => !left.some((one) => one.role === role),
  );
};
