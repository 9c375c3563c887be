import { resourceParts } from "../../../platform/azure/resourceParts";
import type { PeeringModel } from "../model/cluster/peeringModel";
import type { NetworkModel } from "../model/cluster/types";
import type { Row } from "./layout";

/** Peerings and DNS servers of a VNET, in words. */

const remoteLines = ({ remote }: PeeringModel): Row["lines"] =>
  remote.by === "stack"
    ? [`the other side is ${remote.name}, which the stack makes, too`]
    : [
        "the other side is made by others; packets pass once both exist. As soon as `pulumi up` has made the VNET:",
        { command: remote.command },
      ];

export const peeringText = ({ vnetId, cidrs }: PeeringModel): string =>
  `${resourceParts(vnetId).name} ${cidrs.join(", ") || "with ranges that others have given it"}`;

export const peeringDetails = ({ forwarded, gateway }: PeeringModel): string[] => [
  forwarded ? "forwarded packets come in" : "only packets of hosts in the peered VNET come in",
  ...(gateway ? ["its gateway leads to further networks"] : []),
];

/** Which packets do not go to the firewall: routes of Azure choose the longest prefix. */
const pastFirewall = ({ cidrs, gateway }: PeeringModel): string =>
  `packets to ${cidrs.join(", ") || "its ranges"}${gateway ? ", and to what the gateway announces by BGP," : ""} take this way and not that of 0.0.0.0/0, so the firewall does not see them`;

/** What whoever runs the firewall asks for. */
export const firewallRows = ({ outbound, cidrs, byOthers }: NetworkModel): Row[] =>
  outbound?.what !== "firewall" || byOthers !== undefined
    ? []
    : [
        {
          label: "firewall",
          lines: [
            `lets ${cidrs.join(", ")} out to the hosts below, leads answers back there, and lets nothing of the Internet in`,
          ],
        },
      ];

/** What others make so that the controllers come in. */
const managementVnetRow = (vnetId: string): Row => ({
  label: "management",
  lines: [
    `others peer this VNET with ${resourceParts(vnetId).name} of the management cluster, or route between the two:`,
    vnetId,
  ],
});

export const peeringRows = ({
  peerings = [],
  dnsServers = [],
  outbound,
  managementVnetId,
}: NetworkModel): Row[] => [
  ...(managementVnetId === undefined ? [] : [managementVnetRow(managementVnetId)]),
  ...peerings.map((peering): Row => ({
    label: `peering ${peering.name}`,
    lines: [
      [peeringText(peering), ...peeringDetails(peering)].join(", "),
      `as ${peering.azureName} with ${peering.vnetId}`,
      ...(outbound?.what === "firewall" ? [pastFirewall(peering)] : []),
      ...remoteLines(peering),
    ],
  })),
  ...(dnsServers.length === 0
    ? []
    : [{ label: "DNS", lines: [`${dnsServers.join(", ")}; machines have no names there, only addresses`] }]),
];
