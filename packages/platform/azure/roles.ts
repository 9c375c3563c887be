import { lastPart } from "./resourceParts";
import { v5 as uuidv5 } from "uuid";

/** The action of whoever assigns a role. */
export const assignsRoles = "Microsoft.Authorization/roleAssignments/write";

/** IDs of Azure's built-in roles (Microsoft, "Azure built-in roles"). */
export const builtInRoles = {
  contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
  reader: "acdd72a7-3385-48ef-bd42-f606fba81ae7",
  networkContributor: "4d97b98b-1d4f-4787-a291-c67834d212e7",
  virtualMachineContributor: "9980e02c-c2be-4d73-94e8-173b1dc7cf3c",
  storageAccountContributor: "17d1049b-9a84-46fb-8f53-869881c3d3ab",
  privateDnsZoneContributor: "b12aa53e-6015-4669-85d0-8515ebb3ae7f",
  acrPull: "7f951dda-4ed3-4680-a7ca-43fe172d538d",
  keyVaultCryptoUser: "12338af0-0e69-4776-bea7-57ae8d297424",
} as const;

export type BuiltInRole = keyof typeof builtInRoles;

/** Names of the same roles, as Azure and its CLI have them. */
export const roleNames: Readonly<Record<BuiltInRole, string>> = {
  contributor: "Contributor",
  reader: "Reader",
  networkContributor: "Network Contributor",
  virtualMachineContributor: "Virtual Machine Contributor",
  storageAccountContributor: "Storage Account Contributor",
  privateDnsZoneContributor: "Private DNS Zone Contributor",
  acrPull: "AcrPull",
  keyVaultCryptoUser: "Key Vault Crypto User",
};

/** A custom role by its ARM ID. */
export interface CustomRole {
  readonly definitionId: string;
}

/** Custom roles in place of built-in ones, by identity. */
export interface CustomRoles {
  /** Of CAPZ and Azure Service Operator. Default: Contributor on the group, Network Contributor on subnets of others. */
  readonly controllers?: string | undefined;
  /** Of the cloud provider and the CSI drivers. Default: the built-in roles that they need, of which some are wide. */
  readonly controlPlane?: string | undefined;
}

/** The custom role of an identity, or the built-in one where it has none. */
export const customOr = (definitionId: string | undefined, role: BuiltInRole): BuiltInRole | CustomRole =>
  definitionId === undefined ? role : { definitionId };

/** The GUID at the end of the ID of a role, which is the same in every subscription. */
export const guidOf = (definitionId: string): string => lastPart(definitionId).toLowerCase();

/** Built-in roles that may assign roles, so that whoever has one may become owner. */
export const rolesForRoles: Readonly<Record<string, string>> = {
  "8e3af657-a8ff-443c-a75c-2fe8c4bcb635": "Owner",
  "18d7d88d-d35e-4fb5-a5c3-7773c20a72d9": "User Access Administrator",
  "f58310d9-a9f6-439a-9e8d-f62e7b41a168": "Role Based Access Control Administrator",
};

/** The role with an ID; `undefined` for one that this program does not assign. */
export const roleOf = (definitionId: string): BuiltInRole | undefined =>
  (Object.keys(builtInRoles) as BuiltInRole[]).find((role) =>
    definitionId.toLowerCase().endsWith(`/${builtInRoles[role]}`),
  );

/**
 * A condition for Role Based Access Control Administrator: whoever has the role with it assigns, and takes away, the roles of
 * this program alone, and only those of identities and applications. It has all of them, so that it stays right when a stack
 * gets a role or loses one (https://learn.microsoft.com/azure/role-based-access-control/delegate-role-assignments-examples).
 * @param custom - GUIDs of custom roles of the stack
 * @param replaced - built-in roles that these stand for: they can be taken away, and not assigned
 */
export const assignmentCondition = (
  custom: readonly string[] = [],
  replaced: readonly BuiltInRole[] = [],
): string =>
  [
    { action: "write", of: "Request", without: replaced },
    { action: "delete", of: "Resource", without: [] },
  ]
    .map(({ action, of, without }) => {
      const attribute = `@${of}[Microsoft.Authorization/roleAssignments`;
      const left = Object.entries(builtInRoles).filter(([role]) => !without.some((one) => one === role));
      const ids = [...left.map(([, id]) => id), ...custom].join(", ");
      return `((!(ActionMatches{'Microsoft.Authorization/roleAssignments/${action}'})) OR (${attribute}:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${ids}} AND ${attribute}:PrincipalType] ForAnyOfAnyValues:StringEqualsIgnoreCase {'ServicePrincipal'}))`;
    })
    .join(" AND ");

export const roleDefinitionId = (subscriptionId: string, role: BuiltInRole | CustomRole): string =>
  `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${typeof role === "string" ? builtInRoles[role] : guidOf(role.definitionId)}`;

/** Namespace of this project's name-based UUIDs; a random UUID. */
const uuidNamespace = "6f1c3ab2-5e0d-4d57-9a55-1c2f7a1f0c11";

/**
 * Name of a role assignment, which Azure requires to be a GUID. It is derived from logical names only, so it is known
 * in the first preview and the same on every machine.
 */
export const roleAssignmentName = (...logicalNames: readonly string[]): string =>
  uuidv5(logicalNames.join("/"), uuidNamespace);
