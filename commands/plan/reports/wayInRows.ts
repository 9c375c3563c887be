import { bastionNeeds, bastionSubnetName } from "../../../platform/network/bastion";
import type { PrivateLinkModel } from "../model/cluster/peeringModel";
import type { ApiServerModel, NetworkModel } from "../model/cluster/types";
import { row, type Row } from "./layout";

/** How people reach machines by ssh and RDP, in words, and what a private API server needs. */

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

/**
 * Of a Bastion of others (learn.microsoft.com, "Azure Bastion FAQ": no route table, and no default route that a gateway
 * announces; its answers then need a way past the firewall).
 */
export const bastionOfOthers = ({ wayIn, bastion, vnet }: NetworkModel): string[] =>
  wayIn?.kind !== "bastion" || bastion !== undefined
    ? []
    : [
        `${wayIn.name} has the SKU ${bastionNeeds.skus.join(" or ")} with ${bastionNeeds.switches.join(" and ")}, is in a VNET that is peered with ${vnet}, and ${bastionSubnetName} has no route table and no route 0.0.0.0/0 by a gateway or a Virtual WAN; routes of ${vnet} to it do not lead to a firewall`,
      ];

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
const bastionAddress = ({ bastion }: NetworkModel): string =>
  bastion === undefined ? "" : `; that of Azure Bastion is for ssh and RDP`;

/** How the management cluster reaches it from a VNET that is not peered. */
const linkLines = ({ id, subscriptions, subnetId, commands }: PrivateLinkModel): Row["lines"] => [
  ...(subnetId === undefined
    ? [
        "others make the private endpoint, and its record, in the VNET of the management cluster; once CAPZ has made the service, while `pulumi up` waits for the API server:",
      ]
    : [
        "the management cluster resolves the name to a private endpoint, which the stack makes with a zone for that VNET alone, in",
        subnetId,
      ]),
  ...commands.map((command) => ({ command })),
  `on the service ${id}, which accepts endpoints of the subscriptions ${subscriptions.join(", ")}`,
];

/** Who finds a private API server, and what others must add. */
export function privateRows({ host, private: own }: ApiServerModel, network: NetworkModel): Row[] {
  const { natGateway } = network;
  if (own === undefined) {
    return [];
  }
  const record = `${host} A ${own.ip}`;
  return [
    row(
      "name",
      ...(own.record === "others"
        ? [
            `for your DNS team, before \`pulumi up\`: ${record}, in the VNETs of the cluster, the management cluster and yours`,
          ]
        : [
            `${record}, in a ${own.record}${own.zoneId === undefined ? "" : ":"}`,
            ...(own.zoneId === undefined ? [] : [own.zoneId]),
            `linked to ${own.links.join(", ")}; DNS servers elsewhere forward ${own.zone} to one in these VNETs`,
          ]),
    ),
    ...(own.link === undefined ? [] : [row("private link", ...linkLines(own.link))]),
    row(
      "public addresses",
      (natGateway === undefined
        ? "none of the stack, neither for the API server nor for outbound traffic"
        : "none for the API server; the NAT gateway's is for outbound traffic only") +
        bastionAddress(network),
    ),
  ];
}
