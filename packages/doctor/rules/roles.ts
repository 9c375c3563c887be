import type { World } from "../cluster/snapshot";
import { says } from "./finders";
import { azureKinds } from "./kinds";
import type { Detectors, Match } from "./rule";

/** Roles that an identity lacks in Azure. */

/** The built-in role that has an action with the least rights. The first pattern that matches counts. */
const builtIn: readonly (readonly [RegExp, string])[] = [
  [
    /^Microsoft\.ManagedIdentity\/userAssignedIdentities\/(?:assign\/action|read)$/i,
    "Managed Identity Operator",
  ],
  [/^Microsoft\.Network\/privateDnsZones\b/i, "Private DNS Zone Contributor"],
  [/^Microsoft\.Network\/dnsZones\b/i, "DNS Zone Contributor"],
  [/\/read$/i, "Reader"],
  [/^Microsoft\.Network\//i, "Network Contributor"],
  [/^Microsoft\.Compute\/snapshots\//i, "Disk Snapshot Contributor"],
  [
    /^Microsoft\.Compute\/(?:virtualMachines|virtualMachineScaleSets|availabilitySets|disks)\//i,
    "Virtual Machine Contributor",
  ],
  [/^Microsoft\.Storage\/storageAccounts\//i, "Storage Account Contributor"],
];

const roleFor = (action: string): string | undefined =>
  builtIn.find(([pattern]) => pattern.test(action))?.[1];

/** Adds `{role}`, the role for the action of a match. */
export const withRole =
  (find: (world: World) => readonly Match[]) =>
  (world: World): Match[] =>
    find(world).map((match) => {
      const role = roleFor(match.vars?.action ?? "");
      return role === undefined ? match : { ...match, vars: { ...match.vars, role } };
    });

/** Provider and type in an action, such as Microsoft.Compute/capacityReservationGroups. */
const typeIn = (action: string): string => action.split("/").slice(0, 2).join("/");

/** Azure lists all missing actions and scopes; the first one is reported. */
const firstIn = (listed: string | undefined): string => listed?.split(/,\s*/)[0] ?? "";

const linked = says({
  kinds: azureKinds,
  text: /LinkedAuthorizationFailed(?:[^]*?client '(?<client>[^']+)')?(?:[^]*?not have permission to perform action(?:\(s\))? '(?<actions>[^']+)')?(?:[^]*?linked scope(?:\(s\))? '(?<scopes>[^']+)')?/,
});

/** Refusals to use a linked resource. `isKnown`: only those whose action has a known role; otherwise only the others. */
const linkedWith =
  (isKnown: boolean) =>
  (world: World): Match[] =>
    linked(world)
      .map((match) => {
        const action = firstIn(match.vars?.actions);
        const vars = { ...match.vars, action, type: typeIn(action), linked: firstIn(match.vars?.scopes) };
        return { ...match, vars: Object.fromEntries(Object.entries(vars).filter(([, text]) => text !== "")) };
      })
      .filter(({ vars }) => (roleFor(vars.action ?? "") !== undefined) === isKnown);

export const roles: Detectors = {
  "role-linked": withRole(linkedWith(true)),
  "role-linked-other": linkedWith(false),
};
