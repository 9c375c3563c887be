import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { registryName } from "capz-windows-platform/azure/containerRegistries";
import { covers } from "capz-windows-platform/network/addressing";
import { builtInRoles, guidOf, roleNames, roleOf } from "capz-windows-platform/azure/roles";
import { at, strings, text } from "capz-windows-kit/untyped";
import { isAzure } from "../../model/resourceTypes";
import type { Difference } from "../differences";
import { formatChange, formatList, formatValue } from "../format";
import { lifecycle, touches, type ImpactRule } from "../impactRule";
import { subnetRules } from "./subnets";
import { present } from "capz-windows-kit/present";

/** Azure's network and identities. */

const isLost = ({ kind }: Difference): boolean => kind === "delete" || kind === "replace";

/** A role by which machines pull images. */
const isPull = ({ base, head }: Difference): boolean =>
  String((head ?? base)?.inputs.roleDefinitionId).endsWith(`/${builtInRoles.acrPull}`);

const roleOfSide = (difference: Difference, side: "base" | "head"): string | undefined => {
  const id = text(difference[side]?.inputs.roleDefinitionId);
  if (id === "") {
    return undefined;
  }
  const role = roleOf(id);
  return role === undefined ? `custom role ${guidOf(id)}` : roleNames[role];
};

/** Whole assignments: their roles never change in place. */
const changesRole = (difference: Difference): boolean =>
  lifecycle("create", "RoleAssignment")(difference) || lifecycle("delete", "RoleAssignment")(difference);

/** Whether a resource has inputs of another one, on the side where both are. */
const dependsOn = (user: Difference, used: Difference): boolean =>
  (["base", "head"] as const).some((side) => {
    const urn = used[side]?.urn;
    return urn !== undefined && user[side]?.dependencies.includes(urn) === true;
  });

const sourcePrefixes = /^securityRules\[[^\]]*\]\.sourceAddressPrefixes$/;

/** The source networks of a security rule, when they change or when the rule as a whole does. */
function sourceNetworks({ path, property }: Difference): { before: string[]; after: string[] } {
  const read = (value: unknown): string[] => {
    if (sourcePrefixes.test(path)) {
      return strings(value);
    }
    return /^securityRules\[[^\]]*\]$/.test(path) ? strings(at(value, "sourceAddressPrefixes")) : [];
  };
  return { before: read(property?.before), after: read(property?.after) };
}

/** "Network Contributor on snet-nodes" */
const assignmentText = (difference: Difference): string =>
  `${roleOfSide(difference, "head") ?? "a role"} on ${lastPart(text(difference.head?.inputs.scope))}`;

function roleReason(isRemade: boolean, isLost: boolean): string {
  if (isRemade) {
    return "an assignment cannot be changed; for some minutes its identity has no permissions in Azure, and controllers retry";
  }
  return isLost
    ? "their identities lose for good what these roles allowed: whatever still asks for it fails, also an add-on that stays in the workload cluster and makes volumes"
    : "its identity may do more than before, after some minutes; rights/rights.md says what for";
}

export const azureRules: readonly ImpactRule[] = [
  {
    id: "resource-group-lost",
    severity: "destroys",
    source: "azure-native 3 provider/pkg/gen/replacement.go; Azure deletes a group with its contents",
    per: "stack",
    match: (difference) => difference.type === "ResourceGroup" && isLost(difference),
    claims: (difference, groups) =>
      isLost(difference) &&
      isAzure(difference.resource.type) &&
      groups.some(({ base }) => difference.base?.dependencies.includes(base?.urn ?? "") === true),
    what: (matched) => {
      const names = [...new Set(matched.map(({ base }) => formatValue(base?.inputs.resourceGroupName)))];
      const [groups, them] =
        names.length === 1 ? ["A resource group is", "it"] : ["Resource groups are", "them"];
      return `${groups} deleted with everything in ${them}: ${formatList(names)}`;
    },
    why: "its name or region changes, or it is no longer in the plan; Azure deletes a group with its contents",
    instead: "keep the name and the region; to use others, create a second stack",
  },
  {
    id: "vnet-lost",
    severity: "destroys",
    source: "azure-native 3 provider/pkg/gen/replacement.go (VirtualNetwork: location)",
    per: "resource",
    match: (difference) => difference.type === "VirtualNetwork" && isLost(difference),
    what: ([{ resource, kind }]) =>
      `The VNET ${resource.name} is deleted${kind === "replace" ? " and created again" : ""}: every machine of the cluster is in it`,
    why: "its name or region changes, or it is no longer in the plan; Azure refuses it while a machine has an address there",
    instead: "create a second stack, move the workload, and destroy this one",
  },
  ...subnetRules,
  {
    id: "public-address-lost",
    severity: "destroys",
    source:
      "azure-native 3 provider/pkg/gen/replacement.go (PublicIPAddress: location, version, prefix, sku)",
    per: "resource",
    match: (difference) => difference.type.startsWith("PublicIP") && isLost(difference),
    what: ([{ resource, base, kind }]) =>
      `${base?.inputs.publicIpPrefixName === undefined ? "The public address" : "Every public address"} of ${formatValue(base?.inputs.publicIpAddressName ?? base?.inputs.publicIpPrefixName)} (${resource.name}) is lost${kind === "replace" ? ": a new one replaces it" : ""}`,
    why: "Azure assigns another address; firewalls that allow this one must allow the new one",
    instead: "create the new address beside it, have it allowed in firewalls, and remove the old one later",
  },
  {
    id: "access",
    source: "project: access.allowedCidrs, management.egressCidrs",
    match: touches("NetworkSecurityGroup", /^securityRules\b/),
    explain: (matched) => {
      // The rules of both ports list the users' networks; that of the API server also has addresses only Azure knows.
      const ssh = matched.filter(({ path }) => path.includes("[allow_ssh]"));
      const lists = (ssh.length > 0 ? ssh : matched).map(sourceNetworks);
      const added = new Set(
        lists.flatMap(({ before, after }) => after.filter((cidr) => !before.includes(cidr))),
      );
      const removed = new Set(
        lists.flatMap(({ before, after }) => before.filter((cidr) => !covers(after, [cidr]))),
      );
      const parts = [
        ...(added.size > 0 ? [`${formatList([...added])} added`] : []),
        ...(removed.size > 0 ? [`${formatList([...removed])} removed`] : []),
      ];
      const rules = [...new Set(matched.map(({ path }) => /\[([^\]]*)\]/.exec(path)?.[1] ?? path))];
      return {
        what: `Who can reach the API server and SSH changes${parts.length > 0 ? `: ${parts.join("; ")}` : ""} (${formatList(rules)})`,
        why: `the rules of the control plane's security group change in place${removed.size > 0 ? "; connections that are open may stay open" : ""}`,
        ...(removed.size > 0 ? { instead: "check that your own network is among those that are left" } : {}),
      };
    },
  },
  {
    id: "identity-lost",
    severity: "replaces",
    source: "Azure: a user-assigned identity of the same name is another principal",
    per: "resource",
    match: (difference) => difference.type === "UserAssignedIdentity" && isLost(difference),
    what: ([{ resource, kind }]) =>
      `Identity ${resource.name} is deleted${kind === "replace" ? " and created again" : ""}: whatever uses it has no permissions ${kind === "replace" ? "until its roles are assigned again" : "any more"}`,
    why: "a new identity has another client id and principal id, and machines keep the old one until they are replaced",
  },
  {
    id: "registry-access",
    source:
      "https://learn.microsoft.com/azure/container-registry/container-registry-authentication-managed-identity; Kubernetes v1.35.6 pkg/credentialprovider/plugin",
    per: "stack",
    match: (difference) => difference.type === "RoleAssignment" && isPull(difference),
    claims: (difference, assignments) =>
      difference.type === "UserAssignedIdentity" && assignments.some((one) => dependsOn(one, difference)),
    explain: (matched) => {
      const of = (lost: boolean): string[] => [
        ...new Set(
          matched
            .filter((difference) => isLost(difference) === lost)
            .map(({ base, head }) => registryName(String((head ?? base)?.inputs.scope))),
        ),
      ];
      const [gone, there] = [of(true), of(false)];
      return {
        what: `Pools ${[
          ...(there.length > 0 ? [`may pull from ${formatList(there)}`] : []),
          ...(gone.length > 0 ? [`may no longer pull from ${formatList(gone)}`] : []),
        ].join(" and ")}`,
        why:
          gone.length > 0
            ? "pods that start on a node without their image stay in ImagePullBackOff; tokens of the registry are valid for up to 3 hours"
            : "the identity of their machines becomes AcrPull there; only new nodes have the identity and log in with it",
        ...(gone.length > 0 ? { instead: "first change the images of workloads that come from there" } : {}),
      };
    },
  },
  {
    id: "custom-role",
    source:
      "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting#symptom---role-assignment-changes-are-not-being-detected",
    per: "stack",
    match: changesRole,
    claims: changesRole,
    what: (matched) => {
      const roles = (side: "base" | "head"): string[] =>
        [...new Set(matched.flatMap((difference) => roleOfSide(difference, side) ?? []))].sort();
      const [before, after] = [roles("base"), roles("head")];
      // Elsewhere roles come and go with what they are for.
      return (
        [...before, ...after].some((role) => role.startsWith("custom")) &&
        `Roles of identities change: ${formatChange(before.join(", ") || undefined, after.join(", ") || undefined)}`
      );
    },
    why: "a new assignment is there before an old one is taken away, but Azure may take 10 minutes until it counts; CAPZ and the cloud provider try again meanwhile",
    instead:
      "first replace the condition of whoever assigns roles by rights/condition.txt of this plan, if it has one",
  },
  {
    id: "role-remade",
    severity: "replaces",
    source: "azure-native 3 provider/pkg/gen/replacement.go (RoleAssignment: principalId, scope)",
    per: "stack",
    match: (difference) =>
      difference.type === "RoleAssignment" && (isLost(difference) || difference.kind === "create"),
    explain: (matched) => {
      const lost = matched.filter(isLost);
      const names = [...new Set(lost.map(({ resource }) => resource.name))];
      const assigned = [...new Set(matched.filter(({ kind }) => kind === "create").map(assignmentText))];
      const isRemade =
        lost.some(({ kind }) => kind === "replace") || (lost.length > 0 && assigned.length > 0);
      return {
        ...(isRemade ? {} : { severity: "changes" as const }),
        what: present(
          lost.length > 0 &&
            `Roles are removed${matched.some(({ kind }) => kind === "replace") ? " and assigned again" : ""}: ${formatList(names)}`,
          assigned.length > 0 && `Roles are assigned: ${formatList(assigned)}`,
        ).join(". "),
        why: roleReason(isRemade, lost.length > 0),
      };
    },
  },
  {
    id: "federation",
    source: "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations",
    per: "stack",
    match: touches("FederatedIdentityCredential"),
    what: (matched) =>
      `CAPZ's trust in the management cluster changes: ${formatList([...new Set(matched.map(({ path, kind }) => (path === "" ? kind : path)))])}`,
    why: "service accounts of another issuer or name no longer get Azure tokens",
  },
];
