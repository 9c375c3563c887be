import { lastPart } from "../../../../platform/azure/resourceParts";
import { joinSubnet } from "../../../../platform/azure/managementNetwork";
import {
  customKey,
  customReasons,
  principals,
  reasonFor,
  replacedRoles,
  type Principal,
} from "../../../../platform/azure/rights";
import { assignmentCondition, guidOf, roleNames, roleOf } from "../../../../platform/azure/roles";
import { stateRights, type StatePlace } from "../../../../platform/azure/statePlace";
import { controlPlaneName, pullIdentityName } from "../../../../platform/cluster/naming";
import type { WayIn } from "../../../../platform/cluster/wayIn";
import { bastionIdOf } from "../../../../platform/cluster/wayIn";
import { joinAction } from "../../../../platform/network/outbound";
import { peeringActions } from "../../../../platform/network/peerings";
import { at, list, text, textAt } from "../../../../tools/untyped";
import { isWithin } from "../components";
import { readPeerings } from "./peerings";
import { componentsIn, ofType, type PlanResources } from "./resources";
import type { RightModel, RightsModel } from "./types";

/** Who needs which role in Azure: identities by the assignments of the plan, people by what the plan makes. */

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
      what: principals[principal],
      role: role === undefined ? `custom role ${guidOf(definitionId)}` : roleNames[role],
      scope,
      why: found.map(({ why }) => why).join("; "),
      wider: role === undefined ? "" : found.map(({ wider }) => wider).join("; "),
      actions: [...new Set(found.flatMap(({ actions }) => actions))],
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
    what: "machines of pools whose stack file names it (identityIds); every pod that reaches the metadata service can act as it",
    role: "what you assign",
    scope: "",
    why: `${id} is not of this stack`,
    wider: "",
    actions: [],
  }));
};

/** Roles count for what is within a scope, too. */
const outermost = (scopes: readonly string[]): string[] =>
  [...new Set(scopes)].filter((one) => !scopes.some((other) => one.startsWith(`${other}/`))).sort();

function people(
  resources: PlanResources,
  subscription: string,
  assignments: readonly RightModel[],
  bastionId: string | undefined,
  state: StatePlace | undefined,
): RightModel[] {
  const [aks] = ofType(resources, "ManagedCluster");
  const entra = aks !== undefined && at(aks.inputs, "aadProfile") !== undefined;
  const zones = ofType(resources, "PrivateZone");
  const [record] = ofType(resources, "PrivateRecordSet");
  const person = (who: string, role: string, scope: string, why: string): RightModel => ({
    ...{ who, what: "a person or a pipeline", role, scope, why, wider: "", actions: [] },
  });
  const management =
    aks === undefined ? "the management cluster" : `AKS cluster ${text(aks.inputs.resourceName)}`;
  return [
    person(
      "pulumi up",
      "Contributor",
      subscription,
      "makes the resource groups of the plan and what is in them",
    ),
    ...outermost(assignments.map(({ scope }) => scope)).map((scope) =>
      person(
        "pulumi up",
        "Role Based Access Control Administrator, with the condition below",
        scope,
        "assigns the roles above; in a resource group that does not exist yet, the one on the subscription counts",
      ),
    ),
    ...(record !== undefined && zones.length === 0
      ? [
          person(
            "pulumi up",
            "Private DNS Zone Contributor",
            `zone ${text(record.inputs.privateZoneName)} in group ${text(record.inputs.resourceGroupName)}`,
            "writes the record of the API server into a zone of others, and links it to the VNETs",
          ),
        ]
      : []),
    ...(["natGatewayId", "routeTableId"] as const)
      .map((key) => textAt(componentsIn(resources, "VirtualNetwork")[0]?.inputs.outbound, key))
      .filter(Boolean)
      .map((scope) =>
        person(
          "pulumi up",
          `Network Contributor, or ${joinAction(scope)}`,
          scope,
          "attaches it to the subnets of the stack; Contributor on the subscription is enough, too",
        ),
      ),
    ...[textAt(componentsIn(resources, "AksNetwork")[0]?.inputs, "subnetId")]
      .filter(Boolean)
      .map((scope) =>
        person("pulumi up", `Network Contributor, or ${joinSubnet}`, scope, "puts the nodes of AKS into it"),
      ),
    ...linkedVnets(resources).map((scope) =>
      person(
        "pulumi up",
        "Network Contributor, or Microsoft.Network/virtualNetworks/read, Microsoft.Network/virtualNetworks/join/action",
        scope,
        "links the private zone of the API server to it; Contributor on its subscription is enough, too",
      ),
    ),
    ...peeringRights(resources).map(({ actions, scope, why }) =>
      person("pulumi up", `Network Contributor, or ${actions.join(", ")}`, scope, why),
    ),
    ...(bastionId === undefined
      ? []
      : [
          person(
            "npm run access",
            "Reader",
            bastionId,
            "az connects to a machine through Azure Bastion; the machine then asks for the ssh key or the password",
          ),
        ]),
    ...(entra
      ? [
          person(
            "pulumi up",
            "member of a group of management.entra.adminGroupObjectIds",
            management,
            "AKS admits no other administrator",
          ),
        ]
      : []),
    person(
      "pulumi preview",
      "Reader",
      subscription,
      "compares with what exists, and asks for quotas, sizes, policies and roles (also npm run preflight)",
    ),
    person(
      "pulumi preview",
      entra
        ? "Azure Kubernetes Service Cluster User Role, Azure Kubernetes Service RBAC Reader"
        : "Azure Kubernetes Service Cluster User Role",
      management,
      "asks the API server of the management cluster about each object",
    ),
    ...stateRights(state ?? {}).map(({ role, scope, why }) =>
      person("pulumi up, pulumi preview", role, scope, why),
    ),
  ];
}

/** VNETs of others to which a private zone is linked. */
const linkedVnets = (resources: PlanResources): string[] => {
  const own = ofType(resources, "VirtualNetwork").map(({ id }) => id);
  return ofType(resources, "VirtualNetworkLink")
    .map(({ inputs }) => textAt(inputs, "virtualNetwork", "id"))
    .filter((id) => !own.includes(id))
    .sort();
};

/** At the VNETs with which the stack peers its own. */
const peeringRights = (resources: PlanResources) =>
  readPeerings(resources, "").map(({ vnetId, remote }) => ({
    scope: vnetId,
    actions: peeringActions({ remoteSide: remote.by === "stack" ? "stack" : "manual" }),
    why:
      remote.by === "stack"
        ? "makes both sides of the peering"
        : "makes the peering from the side of the stack; whoever makes the other side writes peerings there, and has peer/action on the VNET of the stack",
  }));

export function readRights(
  resources: PlanResources,
  {
    name,
    subscriptionId,
    wayIn,
    state,
  }: {
    readonly name: string;
    readonly subscriptionId: string;
    readonly wayIn?: WayIn | undefined;
    readonly state?: StatePlace | undefined;
  },
): RightsModel {
  const identities = assigned(resources, name);
  const custom = identities.filter(({ definitionId }) => definitionId !== undefined);
  const guids = new Set(custom.map(({ definitionId = "" }) => guidOf(definitionId)));
  return {
    identities: [...identities, ...ofMachines(resources, name)].sort(bySortKey),
    people: people(resources, `/subscriptions/${subscriptionId}`, identities, bastionIdOf(wayIn), state),
    condition: assignmentCondition([...guids].sort(), replacedRoles(custom.flatMap(({ key = [] }) => key))),
  };
}
