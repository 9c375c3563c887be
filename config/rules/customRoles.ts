import { guidOf, roleNames, roleOf, rolesForRoles } from "capz-windows-platform/azure/roles";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { present } from "capz-windows-kit/present";

/** Built-in roles instead of custom ones, and custom roles that the stack does not assign. */
export function customRoleRules({ azure: { roles = {} }, clusterApi: { identity } }: Settings): Problem[] {
  const builtIn = (["controllers", "controlPlane"] as const).flatMap((key): Problem[] => {
    const id = roles[key] ?? "";
    const role = roleOf(id);
    const name = role === undefined ? rolesForRoles[guidOf(id)] : roleNames[role];
    return present(
      name !== undefined && {
        path: `azure.roles.${key}`,
        value: id,
        uses: ["azure.roles"],
        problem: `this is the built-in role ${name}, which allows more than the identity needs`,
        allowed: `a custom role with the actions of rights/${key}.json of a plan; without the key, the stack assigns built-in roles`,
      },
    );
  });
  return roles.controllers === undefined || identity === undefined || identity.principalId !== undefined
    ? builtIn
    : [
        ...builtIn,
        {
          path: "azure.roles.controllers",
          uses: ["azure.roles", "clusterApi.identity"],
          problem:
            "without clusterApi.identity.principalId, you assign the roles of CAPZ's identity yourself",
          allowed: "principalId of the identity, so that the stack assigns the role; or no custom role here",
        },
      ];
}
