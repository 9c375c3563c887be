import { keptWayOut } from "../../../../platform/cluster/wayOut";
import { isWithin } from "../../model/components";
import type { NetworkModel } from "../../model/cluster/types";
import type { Difference } from "../differences";
import { touches, type ImpactRule } from "../impactRule";

/** How machines leave the VNET of the stack. */

const ofSubnet = /^subnets\[[^\]]*\]\.(natGateway|routeTable|defaultOutboundAccess)\b/;
const inAzureCluster = /^spec\.networkSpec\.subnets\[[^\]]*\]\.(id|natGateway)$/;

/** Addresses that are lost have a rule of their own. */
const isGateway = (difference: Difference): boolean =>
  touches(["NatGateway", "PublicIPAddress", "PublicIPPrefix"])(difference) &&
  !(difference.type.startsWith("PublicIP") && ["delete", "replace"].includes(difference.kind));

/** Without the VNET of the management cluster. */
const isWayOut = (difference: Difference): boolean =>
  !isWithin(difference.resource.urn, "AksCluster") &&
  (isGateway(difference) ||
    touches("VirtualNetwork", ofSubnet)(difference) ||
    touches("RouteTable", /^(routes\b|$)/)(difference));

function wayOutText(network: NetworkModel | undefined): string {
  const { natGateway = "none", outbound } = network ?? {};
  return outbound === undefined
    ? `NAT gateway ${natGateway}`
    : [[outbound.what, outbound.name].filter(Boolean).join(" "), ...outbound.details].join(", ");
}

export const keptWayOutRules: readonly ImpactRule[] = [
  {
    id: "way-out-kept",
    severity: "refused",
    source:
      "CAPZ v1.27.0 internal/webhooks/azurecluster_validation.go, validateAzureClusterSubnetUpdate; azure-native 3.28.0, SubnetArgs (defaultOutboundAccess), for the way back, which no webhook refuses",
    per: "stack",
    match: touches("AzureCluster", inAzureCluster),
    claims: (difference) => isWayOut(difference) || difference.type.startsWith("PublicIP"),
    explain: (_, { base, head }) => ({
      what: `A cluster that exists cannot leave its VNET this way: ${wayOutText(base?.network)} → ${wayOutText(head?.network)}`,
      ...keptWayOut,
    }),
  },
];

export const outboundRules: readonly ImpactRule[] = [
  {
    id: "way-out",
    source: "https://learn.microsoft.com/azure/nat-gateway/nat-gateway-resource",
    per: "stack",
    match: isWayOut,
    explain: (_, { base, head }) => {
      const [before, after] = [wayOutText(base?.network), wayOutText(head?.network)];
      return {
        what: `The way out of the VNET changes: ${before === after ? before : `${before} → ${after}`}`,
        why: "Azure changes it while machines run; connections that leave the old way break, and targets may see other addresses",
        instead: "have the new addresses allowed by firewalls first",
      };
    },
  },
];
