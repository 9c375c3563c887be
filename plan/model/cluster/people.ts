import {
  assignmentType,
  isAtOrBelow,
  listCredential,
  operationsOf,
  type Act,
} from "capz-windows-platform/azure/operations";
import type { StatePlace } from "capz-windows-contract";
import { stateRights } from "capz-windows-platform/azure/statePlace";
import { at, text, textAt } from "capz-windows-kit/untyped";
import { ofType, type PlanResources } from "./resources";
import type { RightModel } from "./plainTypes";
import { present } from "capz-windows-kit/present";

/** Which roles in Azure whoever runs the commands needs, by what the plan makes. */

/** Roles count for what is within a scope, too. */
const outermost = (scopes: readonly string[]): string[] =>
  [...new Set(scopes)].filter((one) => !scopes.some((other) => one.startsWith(`${other}/`))).sort();

/** The resource directly in its group that is, or has, what is made; what others have is named as it is. */
const rightScope = ({ scope, action }: Act): string =>
  action.endsWith("/action") ? scope : (/^.*?\/providers\/[^/]+\/[^/]+\/[^/]+/.exec(scope)?.[0] ?? scope);

const made = "Microsoft.Network/virtualNetworks/virtualNetworkPeerings/write";

/** Why something is done at a resource of others, by one of the actions that it needs. */
const whyElsewhere: Readonly<Record<string, string>> = {
  [made]: "makes both sides of the peering",
  "Microsoft.Network/virtualNetworks/peer/action":
    "makes the peering from the side of the stack; whoever makes the other side writes peerings there, and has peer/action on the VNET of the stack",
  "Microsoft.Network/virtualNetworks/join/action": "links the private zone of the API server to it",
  "Microsoft.Network/virtualNetworks/subnets/join/action": "puts AKS into it",
  "Microsoft.Network/privateEndpoints/write":
    "makes the private endpoint by which the management cluster reaches the API server",
  "Microsoft.Network/networkInterfaces/read": "reads the address of the private endpoint",
  "Microsoft.Network/natGateways/join/action": "attaches it to the subnets of the stack",
  "Microsoft.Network/routeTables/join/action": "attaches it to the subnets of the stack",
  "Microsoft.Network/privateDnsZones/A/write":
    "writes the record of the API server into a zone of others, and links it to the VNETs",
};

const actionsIn = (acts: readonly Act[]): string[] => [...new Set(acts.map(({ action }) => action))].sort();

const person = (
  who: string,
  role: string,
  scope: string,
  why: string,
  actions: readonly string[] = [],
): RightModel => ({
  who,
  role,
  scope,
  why,
  actions,
});

/** At resources of others, such as a hub. */
function elsewhere(acts: readonly Act[], endpointSubnets: readonly string[]): RightModel[] {
  const scopes = [...new Set(acts.map(rightScope))].sort();
  return scopes.map((scope) => {
    const actions = actionsIn(acts.filter((act) => rightScope(act) === scope));
    const whys = Object.entries(whyElsewhere).filter(
      ([action]) => actions.includes(action) && !(action.endsWith("/peer/action") && actions.includes(made)),
    );
    const role = scope.includes("/privateDnsZones/") ? "Private DNS Zone Contributor" : "Network Contributor";
    const why = endpointSubnets.includes(scope)
      ? "puts the private endpoint into it"
      : whys.map(([, each]) => each).join("; ");
    return { ...person("pulumi up", role, scope, why, actions), key: "up" };
  });
}

export function people(
  resources: PlanResources,
  subscription: string,
  assignments: readonly RightModel[],
  bastionId: string | undefined,
  state: StatePlace | undefined,
): RightModel[] {
  const [aks] = ofType(resources, "ManagedCluster");
  const entra = aks !== undefined && at(aks.inputs, "aadProfile") !== undefined;
  const management = `AKS cluster ${text(aks?.inputs.resourceName)}`;
  const groups = ofType(resources, "ResourceGroup").map(({ id = "" }) => id);
  const acts = operationsOf(resources).filter(({ action }) => !action.startsWith(assignmentType));
  const isOwn = ({ scope }: Act): boolean => groups.some((group) => isAtOrBelow(scope, group));
  const endpointSubnets = ofType(resources, "PrivateEndpoint").map(({ inputs }) =>
    textAt(inputs, "subnet", "id"),
  );
  const others = elsewhere(
    acts.filter((act) => !isOwn(act)),
    endpointSubnets,
  );
  return present(
    {
      ...person(
        "pulumi up",
        "Contributor",
        subscription,
        "makes the resource groups of the plan and what is in them",
        actionsIn(acts.filter(isOwn)),
      ),
      key: "up",
    },
    ...outermost(assignments.map(({ scope }) => scope)).map((scope) =>
      person(
        "pulumi up",
        "Role Based Access Control Administrator, with the condition of condition.txt",
        scope,
        "assigns the roles above; in a resource group that does not exist yet, the one on the subscription counts",
        ["read", "write", "delete"].map((verb) => `${assignmentType}/${verb}`),
      ),
    ),
    ...others,
    bastionId !== undefined &&
      person(
        "npm run access",
        "Reader",
        bastionId,
        "az connects to a machine through Azure Bastion; the machine then asks for the ssh key or the password",
      ),
    person(
      "pulumi preview",
      "Reader",
      subscription,
      "compares with what exists, and asks for quotas, sizes, policies and roles (also npm run preflight)",
      ["*/read"],
    ),
    ...others
      .filter(({ scope }) => !isAtOrBelow(scope, subscription))
      .flatMap(({ scope, actions }) => {
        const reads = actions.filter((action) => action.endsWith("/read"));
        const why = "a refresh, and npm run preflight, read it";
        return reads.length === 0 ? [] : [person("pulumi preview", "Reader", scope, why, reads)];
      }),
    aks !== undefined &&
      person(
        "pulumi preview",
        "Azure Kubernetes Service Cluster User Role",
        management,
        entra
          ? "takes the kubeconfig, which has no credentials"
          : "takes the kubeconfig, by which everything in the management cluster can be changed (not with management.entra)",
        [listCredential],
      ),
    entra &&
      person(
        "pulumi up, pulumi preview",
        "member of a group of management.entra.adminGroupObjectIds",
        management,
        "AKS admits no other administrator; for the dry runs of a preview, the API server asks for the same rights as for changes",
      ),
    ...stateRights(state ?? {}).map(({ role, scope, why, actions }) =>
      person("pulumi up, pulumi preview", role, scope, why, actions),
    ),
  );
}
