import { entranceRules } from "./entrances";
import { withRole } from "./roles";
import { syncFails } from "./serviceAnswers";
import { serviceWaits } from "./serviceWaits";
import type { World } from "../../cluster/snapshot";
import type { Detectors, Match } from "./rule";

/** Load balancers of Services, which the cloud controller manager creates in Azure. */

/**
 * The role and the scope for a refusal. Who may not read an address or a subnet may not join it either, and Azure only
 * names the first. A role cannot be assigned at a provider's namespace, which a list of resources has as its scope.
 */
const lacksRole =
  (find: (world: World) => readonly Match[]) =>
  (world: World): Match[] =>
    withRole(find)(world).map((match) => {
      const { action = "", scope } = match.vars ?? {};
      return {
        ...match,
        vars: {
          ...match.vars,
          ...(action.startsWith("Microsoft.Network/") ? { role: "Network Contributor" } : {}),
          ...(scope === undefined ? {} : { scope: scope.replace(/\/providers\/[\w.]+$/, "") }),
        },
      };
    });

export const services: Detectors = {
  ...entranceRules,
  "load-balancer-role": lacksRole(
    syncFails(
      /(?:SyncLoadBalancerFailed|EnsuringLoadBalancer)[^]*(?:AuthorizationFailed|403 Forbidden|does not have (?:authorization|permission))(?:[^]*?client '(?<client>[^']+)')?(?:[^]*action(?:\(s\))? '(?<action>[^']+)'[^]*?scope(?:\(s\))? '(?<scope>[^']+)')?/,
    ),
  ),
  ...serviceWaits,
};
