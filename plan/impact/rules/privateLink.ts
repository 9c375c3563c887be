import { isWithin } from "../../model/components";
import type { Difference } from "../differences";
import { touches, type ImpactRule } from "../impactRule";

/** The private link, by which the management cluster reaches an API server in a VNET that is not peered. */

const isEndpoint = ({ type }: Difference): boolean => type === "PrivateEndpoint";

/** The service, the endpoint with its zone and login, the wait for the service, and the subnet in which it has its address. */
const isPart = (difference: Difference): boolean =>
  isEndpoint(difference) ||
  touches("AzureCluster", /\.apiServerLB\.privateLinks\b/)(difference) ||
  isWithin(difference.resource.urn, "ApiServerEndpoint") ||
  difference.resource.name.endsWith("-private-link") ||
  touches("VirtualNetwork", /\.privateLinkServiceNetworkPolicies$/)(difference);

export const privateLinkRules: readonly ImpactRule[] = [
  {
    id: "private-link",
    source:
      "CAPZ v1.27.0 internal/webhooks/azurecluster_validation.go (validateLBPrivateLinks); https://learn.microsoft.com/azure/private-link/private-link-service-overview",
    per: "stack",
    match: isPart,
    explain: (matched, { base, head }) => {
      const [before, after] = [base?.apiServer.private?.link, head?.apiServer.private?.link];
      const isEndpointGone = matched.some(
        (one) => isEndpoint(one) && (one.kind === "delete" || one.kind === "replace"),
      );
      if (before === undefined) {
        return {
          what: "The API server gets a private link",
          why: "CAPZ adds a private link service to its load balancer; no machine changes, and who reaches it now still does",
        };
      }
      if (after === undefined || isEndpointGone) {
        return {
          severity: "replaces",
          what: `The ${after === undefined ? "private link to the API server" : "private endpoint of the management cluster"} is deleted`,
          why: "until there is another way, the controllers do not reach the API server: no machine is made, changed or replaced; the cluster itself runs on",
          instead: "make another way first, or do it at a quiet time",
        };
      }
      const [from, to] = [before, after].map((link) => link.subscriptions.join(", "));
      return {
        what: `The private link to the API server changes${from === to ? "" : `: subscriptions ${from ?? ""} → ${to ?? ""}`}`,
        why: "Azure changes it in place; endpoints of a subscription that is no longer accepted stay connected until they are deleted",
      };
    },
  },
];
