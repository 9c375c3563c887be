import type { RightModel } from "./plainTypes";

/** The file of a custom role in rights/. */
export const customRoleFile = (key: string): string => `${key}.json`;

/** How the built-in roles of identities become roles with fewer actions; undefined where they are, or cannot be. */
export function smallerRoles(identities: readonly RightModel[]): string | undefined {
  const keys = [
    ...new Set(
      identities.flatMap(({ key, definitionId }) =>
        key === undefined || definitionId !== undefined ? [] : [key],
      ),
    ),
  ].sort();
  return keys.length === 0
    ? undefined
    : `For smaller roles, make ${keys.map((key) => `one of rights/${customRoleFile(key)}`).join(" and ")} with \`az role definition create --role-definition '@FILE' --query id --output tsv\`, and give the ID to whoever has the stack file, as ${keys.map((key) => `azure.roles.${key}`).join(" and ")}: \`pulumi up\` then assigns that in place of the built-in roles. Plan again then: only the condition.txt of that plan lets \`pulumi up\` assign them.`;
}

/** The same for whoever runs the commands. */
export function smallerForPeople(people: readonly RightModel[]): string | undefined {
  const wide = people.filter(({ key }) => key !== undefined);
  const roles = [...new Set(wide.map(({ role }) => role))];
  const files = [...new Set(wide.map(({ key = "" }) => `rights/${customRoleFile(key)}`))];
  return wide.length === 0
    ? undefined
    : `In place of ${roles.join(", ")}, whoever runs the commands can have custom roles of ${files.join(" and ")}: \`az role definition create --role-definition '@FILE'\` makes them, and their names take the place of those roles.`;
}
