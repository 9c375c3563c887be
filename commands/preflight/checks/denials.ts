import { armIdWord, bash } from "capz-windows-kit/shell";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { Arm } from "../../azure/arm";
import { type Row, rowsOf } from "../row";
import { allows, type RightsScope } from "./permissions";

/**
 * Deny assignments of a scope and those above it, which count whatever the roles allow. Azure makes them: for deployment
 * stacks, managed applications and the like.
 * https://learn.microsoft.com/azure/role-based-access-control/deny-assignments
 */

const { error, warning } = rowsOf("roles");

/** Stands for everybody. */
const everybody = "00000000-0000-0000-0000-000000000000";

/** "" where nobody is left out. */
function whomText(principals: readonly string[], exceptions: readonly string[]): string {
  if (!principals.includes(everybody)) {
    return ` to ${principals.join(", ")}, which may be a group of this login`;
  }
  return exceptions.length === 0 ? "" : ` to everybody but ${exceptions.join(", ")}`;
}

/** https://learn.microsoft.com/rest/api/authorization/deny-assignments/list-for-scope (2022-04-01) */
export async function denials(arm: Arm, { id, called, actions }: RightsScope): Promise<Row[]> {
  const found = await arm.list(`${id}/providers/Microsoft.Authorization/denyAssignments`, "2022-04-01", {
    $filter: "atScope()",
  });
  return found.flatMap((assignment) => {
    const properties = at(assignment, "properties");
    const denied = actions.filter((action) => allows(list(at(properties, "permissions")), action));
    const isOfParent =
      textAt(properties, "scope") !== "" && textAt(properties, "scope").toLowerCase() !== id.toLowerCase();
    if (denied.length === 0 || (isOfParent && at(properties, "doNotApplyToChildScopes") === true)) {
      return [];
    }
    const principals = list(at(properties, "principals")).map((principal) => textAt(principal, "id"));
    const exceptions = list(at(properties, "excludePrincipals")).map((principal) => textAt(principal, "id"));
    const whom = whomText(principals, exceptions);
    const name = textAt(properties, "denyAssignmentName") || textAt(assignment, "name");
    return [
      (whom === "" ? error : warning)(
        `the deny assignment "${name}" forbids ${denied.join(", ")} on ${called}${whom}`,
        bash`az rest --method get --url "https://management.azure.com${armIdWord(textAt(assignment, "id"))}?api-version=2022-04-01"`,
        "Azure made it for what its name says, such as a deployment stack: ask the owner to exclude this login.",
      ),
    ];
  });
}
