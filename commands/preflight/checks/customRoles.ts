import { bash } from "capz-windows-kit/shell";
import { isDataAction } from "capz-windows-platform/azure/rights";
import { assignsRoles, guidOf } from "capz-windows-platform/azure/roles";
import { at, list, strings, textAt } from "capz-windows-kit/untyped";
import { type Arm, orMissing } from "../../azure/arm";
import type { ClusterModel, RightModel } from "../../../plan/model/cluster/types";
import { orOk, present, type Row, rowsOf } from "../row";
import { allows } from "./permissions";

/** Custom roles that the stack assigns: whether they exist, and allow what the identities do. */

const { error, ok } = rowsOf("custom roles");

type Right = RightModel & { readonly definitionId: string };

/** https://learn.microsoft.com/rest/api/authorization/role-definitions/get-by-id */
async function roleRows(arm: Arm, rights: readonly [Right, ...Right[]]): Promise<Row[]> {
  const [{ definitionId, key = "" }] = rights;
  const name = guidOf(definitionId);
  const update = bash`az role definition update --role-definition @rights/${key}.json   # of the plan; Name must be that of the role`;
  const found = await orMissing(arm.get(definitionId, "2022-04-01"));
  if (found === undefined) {
    return [
      error(
        `the role ${name} of azure.roles.${key} does not exist, or this login may not read it`,
        bash`az role definition create --role-definition @rights/${key}.json   # of the plan`,
      ),
    ];
  }
  const permissions = list(at(found, "properties", "permissions"));
  const ofData = permissions.map((one) => ({ actions: one.dataActions, notActions: one.notDataActions }));
  const missing = [...new Set(rights.flatMap(({ actions }) => actions))].filter(
    (action) => !allows(isDataAction(action) ? ofData : permissions, action),
  );
  const assignable = strings(at(found, "properties", "assignableScopes"));
  const outside = rights
    .map(({ scope }) => scope)
    .filter(
      (scope) =>
        !assignable.some(
          (one) => one === "/" || `${scope}/`.toLowerCase().startsWith(`${one}/`.toLowerCase()),
        ),
    );
  const called = `the role ${textAt(found, "properties", "roleName") || name} of azure.roles.${key}`;
  return present(
    missing.length > 0 && error(`${called} lacks ${missing.join(", ")}`, update),
    outside.length > 0 && error(`${called} cannot be assigned at ${outside.join(", ")}`, update),
    allows(permissions, assignsRoles) &&
      error(`${called} may assign roles: whoever has it can become owner`, update),
  );
}

export async function customRoles(arm: Arm, { rights: { identities } }: ClusterModel): Promise<Row[]> {
  const custom = identities.filter((one): one is Right => one.definitionId !== undefined);
  const different = [...new Set(custom.map(({ definitionId, key }) => `${key ?? ""} ${definitionId}`))];
  const rows = await Promise.all(
    different.map((id) => {
      const [first, ...more] = custom.filter((one) => `${one.key ?? ""} ${one.definitionId}` === id);
      return first === undefined ? Promise.resolve([]) : roleRows(arm, [first, ...more]);
    }),
  );
  return different.length === 0
    ? []
    : orOk(rows.flat(), ok(`${different.length} exist, and allow what the identities do`));
}
