import { bastionSubnetName } from "../../../platform/network/bastion";
import type { NetworkModel } from "../model/cluster/types";
import type { Row } from "./layout";

/** How people reach machines by ssh and RDP, in words; for stacks that name a way (network.bastion). */

/** "Azure Bastion hub-bastion of others" */
export function wayInText({ wayIn, bastion }: NetworkModel): string | undefined {
  return wayIn === undefined
    ? undefined
    : wayIn.kind === "jump"
      ? `the jump host ${wayIn.login}`
      : `Azure Bastion ${wayIn.name}${bastion === undefined ? " of others" : ""}`;
}

/** Who, and through what. */
export const reachText = (network: NetworkModel): string | undefined => {
  const way = wayInText(network);
  const people = network.bastion?.allowedCidrs ?? [];
  return (
    way && `${people.length === 0 ? "" : `${people.join(", ")}, `}through ${way}; no public port for ssh`
  );
};

const zonesText = (zones: readonly string[]): string =>
  zones.length === 0 ? "" : `, zones ${zones.join(", ")}`;

export const bastionRows = ({ bastion }: NetworkModel): Row[] =>
  bastion === undefined
    ? []
    : [
        {
          label: "Azure Bastion",
          lines: [
            `${bastion.name} in ${bastionSubnetName} ${bastion.cidr}, with a public address${zonesText(bastion.zones)}`,
          ],
        },
      ];

/** Beside other public addresses of a stack with a private API server. */
export const bastionAddress = ({ bastion }: NetworkModel): string =>
  bastion === undefined ? "" : `; that of Azure Bastion is for ssh and RDP`;
