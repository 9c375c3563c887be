import { scopeKind, reasons } from "../../../platform/azure/rights";
import { allows } from "../../../commands/preflight/checks/permissions";
import type { ArmRequest } from "./arm";
import { keyOf, parsePath } from "./resource";

/**
 * What principals do in the simulated Azure, as actions of Azure's roles: the request itself, and what Azure checks at the
 * resources that its body names (linked access checks; learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-linked-authorization-failed).
 */

export interface Act {
  /** ARM ID. */
  readonly scope: string;
  readonly action: string;
}

const verbs: Readonly<Record<string, string>> = {
  GET: "read",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete",
};

/** Types that a resource joins, by the end of the type in lower case. */
const joined: Readonly<Record<string, string>> = {
  "virtualnetworks/subnets": "Microsoft.Network/virtualNetworks/subnets/join/action",
  networksecuritygroups: "Microsoft.Network/networkSecurityGroups/join/action",
  publicipaddresses: "Microsoft.Network/publicIPAddresses/join/action",
  networkinterfaces: "Microsoft.Network/networkInterfaces/join/action",
  "loadbalancers/backendaddresspools": "Microsoft.Network/loadBalancers/backendAddressPools/join/action",
  "loadbalancers/inboundnatrules": "Microsoft.Network/loadBalancers/inboundNatRules/join/action",
};

const identityType = "Microsoft.ManagedIdentity/userAssignedIdentities";

/** ARM IDs anywhere in a body, as values or, for identities, as keys. */
function idsIn(value: unknown): string[] {
  return typeof value === "string"
    ? value.startsWith("/subscriptions/")
      ? [value]
      : []
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => [...idsIn(key), ...idsIn(inner)])
      : [];
}

function linkedAct(id: string): Act[] {
  const type = parsePath(id)?.type ?? "";
  const join = joined[type.toLowerCase().replace(/^microsoft\.network\//, "")];
  return type.toLowerCase() === identityType.toLowerCase()
    ? [{ scope: id, action: `${identityType}/assign/action` }]
    : join === undefined
      ? []
      : [{ scope: id, action: join }];
}

export function actsOf({ method, path, body }: ArmRequest): Act[] {
  const verb = verbs[method] ?? "action";
  const parsed = parsePath(path);
  const tagged = /^(.*)\/providers\/Microsoft\.Resources\/tags\/default$/i.exec(path)?.[1];
  const type =
    tagged !== undefined
      ? "Microsoft.Resources/tags"
      : parsed?.type === "Microsoft.Resources/resourceGroups"
        ? "Microsoft.Resources/subscriptions/resourceGroups"
        : (parsed?.type ?? path);
  const own = { scope: tagged ?? path, action: `${type}/${verb}` };
  // Parts of the resource itself are no links.
  const others =
    method === "PUT" ? [...new Set(idsIn(body))].filter((id) => !keyOf(id).startsWith(keyOf(path))) : [];
  return [own, ...others.flatMap(linkedAct)];
}

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
    const isWithin = (scope: string): boolean =>
      groups.some((group) => `${keyOf(scope)}/`.startsWith(`${keyOf(group)}/`));
    // Reader of the subscription reads everything; who names an identity of others in a stack file assigns Managed Identity Operator.
    const elsewhere = [...actionsAt(["subscriptions", "subnets"]), "*/read", `${identityType}/assign/action`];
    return [...this.seen.values()]
      .filter(
        ({ scope, action }) =>
          !allows([{ actions: isWithin(scope) ? actionsAt(["resourceGroups"]) : elsewhere }], action),
      )
      .map(
        ({ scope, action }) => `no role of the controllers is for ${action} on ${scopeKind(scope)} ${scope}`,
      );
  }
}
