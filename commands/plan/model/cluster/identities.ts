import { lastPart } from "../../../../platform/azure/resourceParts";
import { roleNames, roleOf } from "../../../../platform/azure/roles";
import { text } from "../../../../tools/untyped";
import { byName } from "../order";
import { ofType, type PlanResources } from "./resources";

/** The identities that a stack makes. */

/** "network contributor" */
function roleName(definitionId: string): string {
  const role = roleOf(definitionId);
  return role === undefined ? lastPart(definitionId) : roleNames[role].toLowerCase();
}

/** "the subscription", "group blue", or the last part of any other ARM id. */
function scopeName(scope: string): string {
  const [kind = "", last = ""] = scope.split("/").slice(-2);
  return kind === "subscriptions" ? "the subscription" : kind === "resourceGroups" ? `group ${last}` : last;
}

export function readIdentities(resources: PlanResources) {
  const credentials = ofType(resources, "FederatedIdentityCredential");
  const assignments = ofType(resources, "RoleAssignment");
  return ofType(resources, "UserAssignedIdentity")
    .map(({ urn, inputs }) => {
      const name = text(inputs.resourceName);
      return {
        name,
        /** Service accounts that may act as it, as `namespace:name`. */
        serviceAccounts: credentials
          .filter((credential) => credential.inputs.resourceName === name)
          .map((credential) => text(credential.inputs.subject).replace("system:serviceaccount:", ""))
          .sort(),
        // Only Azure knows an identity's principal, but the assignment depends on the identity.
        /** "contributor on group blue" */
        roles: assignments
          .filter(({ dependencies }) => dependencies.includes(urn))
          .map(
            (assignment) =>
              `${roleName(text(assignment.inputs.roleDefinitionId))} on ${scopeName(text(assignment.inputs.scope))}`,
          )
          .sort(),
      };
    })
    .sort(byName);
}
