import { resourceParts } from "capz-windows-platform/azure/resourceParts";
import { textAt } from "capz-windows-kit/untyped";
import type { ClusterModel } from "../../model/cluster/types";
import type { Difference } from "../differences";
import { formatList } from "../format";
import { touches, type Explanation, type ImpactRule } from "../impactRule";

/** Peerings of the VNET, and its DNS servers. */

const isPeering = ({ type }: Difference): boolean => type === "VirtualNetworkPeering";

const keyOf = (peering: Difference): string =>
  textAt((peering.base ?? peering.head)?.inputs, "virtualNetworkPeeringName");

/** Which two VNETs it connects, and from which side. */
const sidesOf = ({ head, base }: Difference): string =>
  JSON.stringify(
    [["virtualNetworkName"], ["remoteVirtualNetwork", "id"]].map((path) =>
      textAt((base ?? head)?.inputs, ...path),
    ),
  );

/** "to-hub of blue-vnet (with hub-vnet)" */
function nameOf({ head, base }: Difference): string {
  const inputs = (base ?? head)?.inputs;
  const other = resourceParts(textAt(inputs, "remoteVirtualNetwork", "id")).name;
  return `${textAt(inputs, "virtualNetworkPeeringName")} of ${textAt(inputs, "virtualNetworkName")} (with ${other})`;
}

function peeringText(matched: readonly [Difference, ...Difference[]]): Explanation {
  const [first] = matched;
  const name = nameOf(first);
  switch (first.kind) {
    case "create":
      return {
        what: `A peering is added: ${name}`,
        why: "packets pass once both sides exist; Azure's default security rules let hosts of a peered VNET in (AllowVnetInBound)",
      };
    case "update":
      return {
        what: `A peering changes: ${name}, ${formatList(matched.map(({ path }) => path))}`,
        why: "Azure changes it in place; connections through a gateway or a firewall that it no longer lets pass break",
      };
    default:
      return {
        severity: "replaces",
        what: `A peering is deleted${first.kind === "replace" ? " and created again" : ""}: ${name}`,
        why: "from then on nothing passes between the two VNETs: not to a firewall, DNS servers or a management cluster in the other one, nor to what is behind its gateway",
        instead: "make another way first: a machine that cannot be reached is replaced by its health check",
      };
  }
}

const serversOf = (cluster: ClusterModel | undefined): string =>
  cluster?.network.dnsServers?.join(", ") ?? "those of Azure";

export const peeringRules: readonly ImpactRule[] = [
  {
    id: "peering-renamed",
    severity: "refused",
    source:
      "Azure: AnotherPeeringAlreadyReferencesRemoteVnet; Pulumi creates resources before it deletes others",
    per: "stack",
    match: isPeering,
    what: (matched) => {
      const [renamed] = matched.flatMap((gone) =>
        matched
          .filter((one) => gone.kind === "delete" && one.kind === "create" && sidesOf(one) === sidesOf(gone))
          .map((one) => `${keyOf(gone)} → ${keyOf(one)}`),
      );
      return renamed !== undefined && `A peering cannot change its name while it exists: ${renamed}`;
    },
    why: "Azure has one peering between two VNETs, and the new one is made before the old one is deleted",
    instead:
      "keep the name; or remove the peering in one `up` and add it in the next one, at a quiet time: machines have no way there meanwhile",
  },
  {
    id: "peering",
    source: "https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-peering",
    per: "resource",
    match: isPeering,
    explain: peeringText,
  },
  {
    id: "dns-servers",
    source: "https://learn.microsoft.com/azure/virtual-network/manage-virtual-network#change-dns-servers",
    per: "stack",
    match: touches("VirtualNetwork", /^dhcpOptions\b/),
    what: (_, { base, head }) =>
      `The DNS servers of the VNET change: ${serversOf(base)} → ${serversOf(head)}`,
    why: "new machines ask them at once, running ones when they are restarted or renew their lease of DHCP; names that the new servers do not forward to Azure stop resolving",
    instead: "let the new servers answer for the name of the API server and for the registries first",
  },
];
