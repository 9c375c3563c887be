import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { covers } from "capz-windows-platform/network/addressing";
import { guidOf, roleNames, roleOf } from "capz-windows-platform/azure/roles";
import { at, strings, text } from "capz-windows-kit/untyped";
import { isAzure } from "../../model/resourceTypes";
import type { Difference } from "../differences";
import { formatList, formatValue } from "../format";
import { touches, type ImpactRule } from "../impactRule";
import { subnetRules } from "./subnets";
import { present } from "capz-windows-kit/present";

/** Azure's network and identities. */

const isLost = ({ kind }: Difference): boolean => kind === "delete" || kind === "replace";

const roleOfSide = (difference: Difference, side: "base" | "head"): string | undefined => {
  const id = text(difference[side]?.inputs.roleDefinitionId);
  if (id === "") {
    return undefined;
  }
  const role = roleOf(id);
  return role === undefined ? `custom role ${guidOf(id)}` : roleNames[role];
};

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
const assignmentText = (difference: Difference, side: "base" | "head"): string =>
  `${roleOfSide(difference, side) ?? "a role"} on ${lastPart(text(difference[side]?.inputs.scope))}`;

/** Whoever may assign only some roles is refused a new one in the middle of an `up`. */
const conditionFirst =
  "first replace the condition of whoever assigns roles by rights/condition.txt of this plan, if it has one";

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
    match: touches("NetworkSecurityGroup", /^securityRules\b(?!.*\.description$)/),
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
      const parts = present(
        added.size > 0 && `${formatList([...added])} added`,
        removed.size > 0 && `${formatList([...removed])} removed`,
      );
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
    id: "roles",
    source:
      "azure-native 3 provider/pkg/gen/replacement.go (RoleAssignment: principalId, scope); https://learn.microsoft.com/azure/role-based-access-control/troubleshooting#symptom---role-assignment-changes-are-not-being-detected",
    per: "stack",
    match: ({ type, kind }) => type === "RoleAssignment" && kind !== "update",
    claims: (difference, assignments) =>
      difference.type === "UserAssignedIdentity" && assignments.some((one) => dependsOn(one, difference)),
    explain: (matched) => {
      const texts = (side: "base" | "head"): string[] =>
        [...new Set(matched.filter((one) => one[side]).map((one) => assignmentText(one, side)))].sort();
      const [before, after] = [texts("base"), texts("head")];
      const what = present(
        before.length > 0 && `Roles are removed: ${formatList(before)}`,
        after.length > 0 && `Roles are assigned: ${formatList(after)}`,
      ).join(". ");
      if (before.length === 0) {
        return {
          what,
          why: "its identity may do more than before, after some minutes; rights/rights.md says what for",
          instead: conditionFirst,
        };
      }
      return {
        ...(after.length > 0 ? { severity: "replaces" } : {}),
        what,
        why: "what these roles allowed fails once they are gone, for some minutes where they are assigned again: controllers retry, and pods that start on a node without their image of a registry stay in ImagePullBackOff",
        instead: conditionFirst,
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
