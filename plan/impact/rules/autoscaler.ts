import { lineWithoutAddon } from "../../../addons/catalogue";
import type { Difference } from "../differences";
import { formatChange, formatList } from "../format";
import { lifecycle, within, type ImpactRule } from "../impactRule";

/** The cluster autoscaler, which runs on the management cluster. */

const inAutoscaler = within("autoscaler");
const deployment = "Deployment";
const source =
  "cluster-autoscaler cluster-autoscaler/cloudprovider/clusterapi/clusterapi_provider.go (1.30 to 1.36)";

/** Its image with both versions; of everything else the path, or the kind of what comes or goes. */
const whatChanges = ({ path, type, property }: Difference): string =>
  path.endsWith(".image") ? `image ${formatChange(property?.before, property?.after)}` : path || type;

export const autoscalerRules: readonly ImpactRule[] = [
  {
    id: "autoscaler-new",
    source,
    match: (difference) => inAutoscaler(difference) && lifecycle("create", deployment)(difference),
    claims: () => true,
    what: "The cluster autoscaler is new: it adds nodes to pools with `autoscale`, and drains and deletes nodes that are not needed",
    why: "it runs on the management cluster, and its first look at the nodes comes within minutes",
    instead: `write ${lineWithoutAddon("cluster-autoscaler") ?? ""} if another one runs for the cluster`,
  },
  {
    id: "autoscaler-gone",
    source,
    match: (difference) => inAutoscaler(difference) && lifecycle("delete", deployment)(difference),
    claims: () => true,
    what: "The cluster autoscaler is deleted: pools keep the nodes that they have",
    why: "only an autoscaler changes the number of nodes of a pool with `autoscale`",
    instead: "another autoscaler for the cluster, or replicas instead of autoscale",
  },
  {
    id: "autoscaler-changes",
    source,
    match: (difference) => inAutoscaler(difference) && difference.custom,
    claims: () => true,
    what: (matched) =>
      `The cluster autoscaler restarts: ${formatList([...new Set(matched.map(whatChanges))])}`,
    why: "its pod is replaced; the nodes stay as they are until it decides by the new settings",
  },
];
