import { isWithin } from "../../model/components";
import type { Difference } from "../differences";
import { formatList } from "../format";
import { touches, type ImpactRule } from "../impactRule";

/** The private link, by which the management cluster reaches an API server in a VNET that is not peered. */

const service = touches("AzureCluster", /\.apiServerLB\.privateLinks\b/);

const isEndpoint = ({ type }: Difference): boolean => type === "PrivateEndpoint";

/** The endpoint's zone and login, the wait for the service, and the subnet in which the service has its address. */
const isPart = (difference: Difference): boolean =>
  isWithin(difference.resource.urn, "ApiServerEndpoint") ||
  difference.resource.name.endsWith("-private-link") ||
  touches("VirtualNetwork", /\.privateLinkServiceNetworkPolicies$/)(difference);

export const privateLinkRules: readonly ImpactRule[] = [
  {
    id: "private-link",
    source:
      "CAPZ v1.27.0 internal/webhooks/azurecluster_validation.go (validateLBPrivateLinks); https://learn.microsoft.com/azure/private-link/private-link-service-overview",
    per: "stack",
    match: (difference) => service(difference) || isEndpoint(difference) || isPart(difference),
    explain: (matched, { base, head }) => {
      const [before, after] = [base?.apiServer.private?.link, head?.apiServer.private?.link];
      const endpoint = matched.find(isEndpoint);
      if (
        before !== undefined &&
        (after === undefined || ["delete", "replace"].includes(endpoint?.kind ?? ""))
      ) {
        return {
          severity: "replaces",
          what: `The ${after === undefined ? "private link to the API server" : "private endpoint of the management cluster"} is deleted${endpoint?.kind === "replace" ? " and created again" : ""}`,
          why: "until there is another way, the controllers do not reach the API server: no machine is made, changed or replaced; the cluster itself runs on",
          instead: "make another way first, or do it at a quiet time",
        };
      }
      const [from, to] = [before, after].map((link) => link?.subscriptions.join(", "));
      return before === undefined
        ? {
            what: "The API server gets a private link",
            why: "CAPZ adds a private link service to its load balancer; no machine changes, and who reaches it now still does",
          }
        : {
            what: `The private link to the API server changes: ${from === to ? formatList(matched.map(({ path, resource }) => path || resource.name)) : `subscriptions ${from} → ${to}`}`,
            why: "Azure changes it in place; endpoints of a subscription that is no longer accepted stay connected until they are deleted",
          };
    },
  },
];
