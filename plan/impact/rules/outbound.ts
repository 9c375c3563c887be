import { keptWayOut } from "capz-windows-platform/cluster/wayOut";
import { isWithin } from "../../model/components";
import { wayOutText } from "../../model/cluster/outbound";
import type { ClusterModel } from "../../model/cluster/types";
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

const wayOutOf = (cluster: ClusterModel | undefined): string =>
  (cluster && wayOutText(cluster.network)) ?? "NAT gateway none";

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
      what: `A cluster that exists cannot leave its VNET this way: ${wayOutOf(base)} → ${wayOutOf(head)}`,
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
    what: (_, { base, head }) => {
      const [before, after] = [wayOutOf(base), wayOutOf(head)];
      return `The way out of the VNET changes: ${before === after ? before : `${before} → ${after}`}`;
    },
    why: "Azure changes it while machines run; connections that leave the old way break, and targets may see other addresses",
    instead: "have the new addresses allowed by firewalls first",
  },
];
