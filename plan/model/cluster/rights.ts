import { isAtOrBelow } from "capz-windows-platform/azure/operations";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import {
  customKey,
  customReasons,
  linkServiceActions,
  reasonFor,
  replacedRoles,
  scopeKind,
  type Principal,
} from "capz-windows-platform/azure/rights";
import { assignmentCondition, guidOf, roleNames, roleOf } from "capz-windows-platform/azure/roles";
import type { StatePlace, WayIn } from "capz-windows-contract";
import { controlPlaneName, pullIdentityName } from "capz-windows-platform/cluster/naming";
import { bastionIdOf } from "capz-windows-platform/cluster/wayIn";
import { at, list, text } from "capz-windows-kit/untyped";
import { isWithin } from "../components";
import { people } from "./people";
import { readPrivateLink } from "./peerings";
import { componentsIn, ofType, type PlanResources } from "./resources";
import type { RightModel } from "./plainTypes";

/** Which role in Azure each identity has, by the assignments of the plan. */

/** Identities have their meaning in their names in Azure, which never change. */
function principalNamed(name: string, clusterName: string): Principal {
  switch (name) {
    case controlPlaneName(clusterName):
      return "control plane";
    case pullIdentityName(clusterName):
      return "pull";
    default:
      return "controllers";
  }
}

const bySortKey = (a: RightModel, b: RightModel): number =>
  `${a.who} ${a.scope} ${a.role}` < `${b.who} ${b.scope} ${b.role}` ? -1 : 1;

function assigned(resources: PlanResources, clusterName: string): RightModel[] {
  const identities = ofType(resources, "UserAssignedIdentity");
  const fileShares = at(componentsIn(resources, "ControllerIdentity")[0]?.inputs, "fileShares") === true;
  const ofLink = readPrivateLink(resources) === undefined ? [] : linkServiceActions;
  return ofType(resources, "RoleAssignment").map(({ inputs, dependencies }): RightModel => {
    // Only Azure knows an identity's principal, but the assignment depends on the identity; one that exists is the controllers'.
    const identity = identities.find(({ urn }) => dependencies.includes(urn));
    const name = text(identity?.inputs.resourceName ?? "identity of clusterApi.identity");
    const principal =
      identity !== undefined && isWithin(identity.urn, "AksCluster")
        ? "management cluster"
        : principalNamed(name, clusterName);
    const scope = text(inputs.scope);
    const definitionId = text(inputs.roleDefinitionId);
    const role = roleOf(definitionId);
    const found =
      role === undefined
        ? customReasons(principal, scope, fileShares)
        : [reasonFor(principal, role, scope)].filter((reason) => reason !== undefined);
    const key = found.map(customKey)[0];
    return {
      who: name,
      role: role === undefined ? `custom role ${guidOf(definitionId)}` : roleNames[role],
      scope,
      why: found.map(({ why }) => why).join("; "),
      actions: [
        ...new Set([
          ...found.flatMap(({ actions }) => actions),
          ...(principal === "controllers" && scopeKind(scope) === "resourceGroups" ? ofLink : []),
        ]),
      ],
      ...(key === undefined ? {} : { key }),
      ...(role === undefined ? { definitionId } : {}),
    };
  });
}

/** Identities that the stack gives to machines of pools, and whose roles are assigned by others. */
const ofMachines = (resources: PlanResources, clusterName: string): RightModel[] => {
  const own = pullIdentityName(clusterName);
  const ids = ofType(resources, "AzureMachinePool", "AzureMachineTemplate").flatMap(({ inputs }) => {
    const spec = at(inputs, "spec", "template", "spec") ?? at(inputs, "spec");
    return list(at(spec, "userAssignedIdentities")).map(({ providerID }) =>
      text(providerID).replace("azure://", ""),
    );
  });
  const others = [...new Set(ids)].filter(
    (id) => ![own, controlPlaneName(clusterName)].includes(lastPart(id)),
  );
  return others.map((id) => ({
    who: lastPart(id),
    role: "what you assign",
    scope: "",
    why: `${id} is not of this stack`,
    actions: [],
  }));
};

export function readRights(
  resources: PlanResources,
  wayIn: WayIn | undefined,
  cluster: { readonly name: string; readonly subscriptionId: string },
  state: StatePlace | undefined,
) {
  const { name, subscriptionId } = cluster;
  const identities = assigned(resources, name);
  const custom = identities.filter(({ definitionId }) => definitionId !== undefined);
  const groups = ofType(resources, "ResourceGroup").map(({ id = "" }) => id);
  const withOwner = (right: RightModel): RightModel =>
    !right.scope.includes("/resourceGroups/") || groups.some((group) => isAtOrBelow(right.scope, group))
      ? right
      : { ...right, ofOthers: true };
  const guids = new Set(custom.map(({ definitionId = "" }) => guidOf(definitionId)));
  return {
    identities: [...identities, ...ofMachines(resources, name)].map(withOwner).sort(bySortKey),
    /** Who runs the commands. */
    people: people(
      ...([resources, `/subscriptions/${subscriptionId}`, identities] as const),
      ...([bastionIdOf(wayIn), state] as const),
    ).map(withOwner),
    /** For the role with which roles are assigned: only those of this program. */
    condition: assignmentCondition([...guids].sort(), replacedRoles(custom.flatMap(({ key = [] }) => key))),
  };
}
