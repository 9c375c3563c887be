import { nodeUser } from "../../platform/cluster/access";
import type { Reachable } from "./model";

/** How to reach machines that have no public address. */
export type Route =
  | { readonly kind: "control-plane" }
  /** A machine of the user's in the VNET or in a network that is peered with it. */
  | { readonly kind: "jump"; readonly login: string; readonly port: string }
  /** Azure Bastion, by its name. */
  | { readonly kind: "bastion"; readonly name: string; readonly resourceGroup: string };

const jumpPattern = /^(?:([\w.-]+)@)?([A-Za-z0-9][\w.-]*)(?::(\d{1,5}))?$/;
const bastionPattern = /^(?:([\w.()-]+)\/)?([\w.-]+)$/;

export const isJump = (text: string): boolean => jumpPattern.test(text);
export const isBastion = (text: string): boolean => bastionPattern.test(text);

/** The route that the user named; otherwise the cluster's own Azure Bastion, if it has one, or the control plane. */
export function routeOf(
  { resourceGroup, bastion: own }: Pick<Reachable, "resourceGroup" | "bastion">,
  { jump, bastion }: { readonly jump?: string | undefined; readonly bastion?: string | undefined },
): Route {
  const [, user = nodeUser, host = "", port = "22"] = jumpPattern.exec(jump ?? "") ?? [];
  if (jump !== undefined) {
    return { kind: "jump", login: `${user}@${host}`, port };
  }
  const [, group = resourceGroup, name = ""] = bastionPattern.exec(bastion ?? own ?? "") ?? [];
  return name === "" ? { kind: "control-plane" } : { kind: "bastion", name, resourceGroup: group };
}

/** A private load balancer forwards no ssh (CAPZ v1.27.0 azure/scope/machine.go, PublicLBNATRuleName). */
export const isShut = ({ isPrivate }: Pick<Reachable, "isPrivate">, { kind }: Route): boolean =>
  isPrivate && kind === "control-plane";

export const shutNote =
  "The API server has a private address, and its load balancer forwards no ssh: name --bastion [GROUP/]NAME, or --jump USER@HOST for a machine that reaches the VNET.";
