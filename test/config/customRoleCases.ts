import { existingManagement } from "../support/stacks";
import type { Case } from "./ruleCases";

const definition = (guid: string): string =>
  `/subscriptions/11111111-2222-4333-8444-555555555555/providers/Microsoft.Authorization/roleDefinitions/${guid}`;
const own = definition("11111111-2222-4333-8444-777777777777");
const azure = (roles: object) => ({
  azure: {
    subscriptionId: "11111111-2222-4333-8444-555555555555",
    tenantId: "11111111-2222-4333-8444-666666666666",
    location: "westeurope",
    roles,
  },
});
const client = "11111111-2222-4333-8444-888888888888";
const existing = (identity: object) => ({
  ...existingManagement,
  clusterApi: { install: false, identity },
});

/** Cases of azure.roles. */
export const customRoleCases: readonly Case[] = [
  [
    "a built-in role of the program as a custom one",
    azure({ controllers: definition("b24988ac-6180-42a0-ab88-20f7382dd24c") }),
    "azure.roles.controllers: this is the built-in role Contributor, which allows more than the identity needs",
    azure({ controllers: own }),
  ],
  [
    "the role of an owner",
    azure({ controlPlane: definition("8E3AF657-a8ff-443c-a75c-2fe8c4bcb635") }),
    "azure.roles.controlPlane: this is the built-in role Owner, which allows more than the identity needs",
    azure({ controlPlane: own }),
  ],
  [
    "a role for an identity to which the stack assigns none",
    { ...azure({ controllers: own }), ...existing({ clientId: client }) },
    "azure.roles.controllers: without clusterApi.identity.principalId, you assign the roles of CAPZ's identity yourself",
    { ...azure({ controllers: own }), ...existing({ clientId: client, principalId: client }) },
  ],
];
