import { linkServiceActions, scopeKind, reasons } from "capz-windows-platform/azure/rights";
import { actsOf, isAtOrBelow, type Act } from "capz-windows-platform/azure/operations";
import { allows } from "../../../commands/preflight/checks/permissions";
import type { ArmRequest } from "./arm";
import { keyOf } from "./resource";

/** Operations that every principal may poll who was allowed to start them. */
const isPoll = (path: string): boolean => /\/operations\/|\/operationstatuses\//i.test(path);

/** Acts of controllers: CAPZ logs in with a token of its identity, and Azure Service Operator with the same identity. */
export class Acts {
  private readonly seen = new Map<string, Act>();

  add(request: ArmRequest): void {
    if (request.principal !== undefined && !isPoll(request.path)) {
      actsOf(request).forEach((act) => this.seen.set(`${act.action} ${keyOf(act.scope)}`, act));
    }
  }

  /** In a group of the stack, what the role on it is for; elsewhere, what the roles there are for. */
  withoutReason(groups: readonly string[]): string[] {
    const actionsAt = (kinds: readonly string[]): string[] =>
      reasons
        .filter(({ principal, scope }) => principal === "controllers" && kinds.includes(scope))
        .flatMap(({ actions }) => actions);
    const isWithin = (scope: string): boolean => groups.some((group) => isAtOrBelow(scope, group));
    // Reader of the subscription reads everything; who names an identity of others in a stack file assigns Managed Identity Operator.
    const elsewhere = [
      ...actionsAt(["subscriptions", "subnets"]),
      "*/read",
      "Microsoft.ManagedIdentity/userAssignedIdentities/assign/action",
    ];
    return [...this.seen.values()]
      .filter(
        ({ scope, action }) =>
          !allows(
            [
              {
                actions: isWithin(scope)
                  ? [...actionsAt(["resourceGroups"]), ...linkServiceActions]
                  : elsewhere,
              },
            ],
            action,
          ),
      )
      .map(
        ({ scope, action }) => `no role of the controllers is for ${action} on ${scopeKind(scope)} ${scope}`,
      );
  }
}
