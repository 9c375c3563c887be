import { lastPart } from "./resourceParts";

/**
 * Requests to Azure Resource Manager as actions of Azure's roles: the request itself, and what Azure checks at the resources
 * that its body names (linked access checks; learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-linked-authorization-failed).
 */

export interface Act {
  /** ARM ID. */
  readonly scope: string;
  readonly action: string;
}

export interface ArmCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const verbs: Readonly<Record<string, string>> = {
  GET: "read",
  PUT: "write",
  PATCH: "write",
  DELETE: "delete",
};

/** Types that a resource joins (https://learn.microsoft.com/azure/role-based-access-control/permissions/networking). */
const joined = [
  ...["virtualNetworks/subnets", "networkSecurityGroups", "routeTables", "natGateways"],
  ...["publicIPAddresses", "publicIPPrefixes", "networkInterfaces"],
  ...["loadBalancers/backendAddressPools", "loadBalancers/inboundNatRules"],
].map((type) => `Microsoft.Network/${type}`);

const vnetType = "Microsoft.Network/virtualNetworks";
const identityType = "Microsoft.ManagedIdentity/userAssignedIdentities";
export const assignmentType = "Microsoft.Authorization/roleAssignments";
export const listCredential = "Microsoft.ContainerService/managedClusters/listClusterUserCredential/action";

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Whether a scope is, or is within, another one. Case does not matter in ARM IDs. */
export const isAtOrBelow = (scope: string, other: string): boolean =>
  `${scope}/`.toLowerCase().startsWith(`${other}/`.toLowerCase());

/** "Microsoft.Network/virtualNetworks/subnets"; for an extension resource, the type of the last provider counts. */
function armType(path: string): string {
  const [first = "", ...providers] = path.split(/\/providers\//i);
  const steps = (providers.at(-1) ?? `Microsoft.Resources${first}`).split("/");
  return steps.filter((_, index) => index === 0 || index % 2 === 1).join("/");
}

/** ARM IDs anywhere in a body, as values or, for identities, as keys. */
function idsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return value.startsWith("/subscriptions/") ? [value] : [];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, inner]) => [...idsIn(key), ...idsIn(inner)]);
}

/** What Azure asks at a resource that another one names. */
function linkedActions(type: string, byType: string): string[] {
  switch (true) {
    case isSame(type, identityType):
      return [`${identityType}/assign/action`];
    // https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-peering#permissions
    case isSame(type, vnetType) && isSame(byType, `${vnetType}/virtualNetworkPeerings`):
      return [`${vnetType}/peer/action`];
    // As the built-in role Private DNS Zone Contributor has them, beside its zones.
    case isSame(type, vnetType):
      return [`${vnetType}/read`, `${vnetType}/join/action`];
    default:
      return joined.filter((one) => isSame(one, type)).map((one) => `${one}/join/action`);
  }
}

export function actsOf({ method, path, body }: ArmCall): Act[] {
  const tagged = /^(.*)\/providers\/Microsoft\.Resources\/tags\/default$/i.exec(path)?.[1];
  const type = tagged === undefined ? armType(path) : "Microsoft.Resources/tags";
  const own = { scope: tagged ?? path, action: `${type}/${verbs[method] ?? "action"}` };
  // Parts of the resource itself are no links, and the scope of a role is in the path.
  const others =
    method === "PUT" && type !== assignmentType
      ? [...new Set(idsIn(body))].filter((id) => !isAtOrBelow(id, path))
      : [];
  return [
    own,
    ...others.flatMap((scope) =>
      linkedActions(armType(scope), type).map((action): Act => ({ scope, action })),
    ),
  ];
}

/** What `up`, a refresh and `destroy` do about the resources of a plan that was just made, and so has their ids. */
export const operationsOf = (
  resources: readonly { readonly type: string; readonly id?: string; readonly inputs: unknown }[],
): Act[] =>
  resources.flatMap(({ type, id, inputs }) =>
    id === undefined || !type.startsWith("azure-native:")
      ? []
      : [
          ...["GET", "PUT", "DELETE"].flatMap((method) => actsOf({ method, path: id, body: inputs })),
          // Its kubeconfig, which the program asks for.
          ...(type === "azure-native:containerservice:ManagedCluster"
            ? [{ scope: id, action: listCredential }]
            : []),
          // Its service and its address, which the program asks for.
          ...(type === "azure-native:network:PrivateEndpoint"
            ? [
                ...idsIn(inputs)
                  .filter((one) => one.includes("/privateLinkServices/"))
                  .map((scope) => ({ scope, action: "Microsoft.Network/privateLinkServices/read" })),
                {
                  scope: `${id.slice(0, id.indexOf("/privateEndpoints/"))}/networkInterfaces/${lastPart(id)}-nic`,
                  action: "Microsoft.Network/networkInterfaces/read",
                },
              ]
            : []),
        ],
  );
