import type { WayIn } from "capz-windows-contract";
import { jumpOf } from "capz-windows-platform/cluster/wayIn";
import type { Reachable } from "./model";

const bastionPattern = /^(?:([\w.()-]+)\/)?([\w.-]+)$/;

export const isBastion = (text: string): boolean => bastionPattern.test(text);

/**
 * The route that the user named; otherwise the one of the stack file, the Azure Bastion that the AzureCluster has, or
 * `undefined` for the control plane.
 */
export function routeOf(
  { resourceGroup, bastion: own, wayIn }: Pick<Reachable, "resourceGroup" | "bastion" | "wayIn">,
  { jump, bastion }: { readonly jump?: string | undefined; readonly bastion?: string | undefined },
): WayIn | undefined {
  if (jump !== undefined) {
    return jumpOf(jump);
  }
  if (bastion === undefined && wayIn !== undefined) {
    return wayIn;
  }
  const [, group = resourceGroup, name = ""] = bastionPattern.exec(bastion ?? own ?? "") ?? [];
  return name === "" ? undefined : { kind: "bastion", name, resourceGroup: group };
}

/** A private load balancer forwards no ssh (CAPZ v1.27.0 azure/scope/machine.go, PublicLBNATRuleName). */
export const shutNote =
  "The API server has a private address, and its load balancer forwards no ssh: name --bastion [GROUP/]NAME, or --jump USER@HOST for a machine that reaches the VNET.";
