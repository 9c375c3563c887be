import { bastionKeys, bastionPrefix, bastionSubnetName } from "capz-windows-platform/network/bastion";
import { covers, privateCidrs } from "capz-windows-platform/network/addressing";
import { bypassesBalancers } from "capz-windows-platform/company-network/outbound";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { withoutEmpty } from "capz-windows-kit/without";
import { present } from "capz-windows-kit/present";
import type { Settings } from "../settings";
import { surplusKeys } from "./choices";
import { subnetFault, subnetsOf } from "./networkRanges";

/** How people reach machines without a public port. */

const place = "network.bastion";

const instead = "kind: existing, for an Azure Bastion of others, or kind: jumpHost, for a machine of yours";

/** Public networks from which people come to an Azure Bastion of the stack. */
export const bastionUsers = ({ access, network }: Pick<Settings, "access" | "network">): string[] =>
  (network.bastion?.allowedCidrs ?? access.allowedCidrs).filter((cidr) => !covers(privateCidrs, [cidr]));

export function bastionRules(settings: Settings): Problem[] {
  const { network } = settings;
  const { bastion, outbound, existing, apiServer } = network;
  if (bastion === undefined) {
    return [];
  }
  const { kind, range } = bastion;
  const isOwn = kind === "stack" || range !== undefined;
  if (existing !== undefined && isOwn) {
    return [
      {
        path: place,
        uses: [place, "network.existing"],
        problem: `the VNET of network.existing belongs to others, and so does its ${bastionSubnetName}: the stack makes no Bastion in it`,
        allowed: instead,
      },
    ];
  }
  if (kind === "stack" && apiServer !== undefined && outbound !== undefined && bypassesBalancers(outbound)) {
    return [
      {
        path: place,
        uses: [place, "network.apiServer", "network.outbound"],
        problem: `an Azure Bastion has a public address, and this stack has none otherwise: its API server is private, and network.outbound is ${outbound.type}`,
        allowed: instead,
      },
    ];
  }
  const fault =
    range === undefined ? undefined : subnetFault(settings, range, subnetsOf(settings), bastionPrefix);
  // With what another kind has, it is the kind that is wrong.
  const isMeant = bastion.bastionId === undefined && bastion.jumpHost === undefined;
  return present<Problem>(
    ...(kind === "none" ? [] : surplusKeys(place, "kind", bastionKeys, withoutEmpty(bastion))),
    kind === "stack" &&
      isMeant &&
      range === undefined && {
        path: `${place}.range`,
        uses: ["network"],
        problem: `kind: stack needs a range for ${bastionSubnetName}`,
        allowed: `a /${bastionPrefix} or larger in the VNET that no other subnet has`,
      },
    fault && { path: `${place}.range`, value: range, uses: ["network"], ...fault },
    isOwn &&
      isMeant &&
      bastionUsers(settings).length === 0 && {
        path: `${place}.allowedCidrs`,
        value: bastion.allowedCidrs,
        uses: [place, "access.allowedCidrs"],
        problem:
          "people come to the public address of an Azure Bastion, and neither allowedCidrs nor access.allowedCidrs has a public network",
        allowed: "public networks of your users",
      },
    kind === "existing" &&
      bastion.bastionId === undefined && {
        path: `${place}.bastionId`,
        uses: [place],
        problem: "kind: existing needs the Azure Bastion, and none is named",
        allowed: "its ARM ID",
      },
    kind === "jumpHost" &&
      bastion.jumpHost === undefined && {
        path: `${place}.jumpHost`,
        uses: [place],
        problem: "kind: jumpHost needs the machine, and none is named",
        allowed: "[USER@]HOST[:PORT]",
      },
  );
}

export const bastionWarnings = ({ network: { bastion, existing, peerings } }: Settings): Warning[] =>
  bastion?.kind === "existing" && existing === undefined && Object.keys(peerings).length === 0
    ? [
        {
          path: `${place}.bastionId`,
          message:
            "a Bastion reaches machines in its VNET and in peered ones, and network.peerings names none: peer with its VNET",
        },
      ]
    : [];
