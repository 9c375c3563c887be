import { formatChange } from "../format";
import { findChange, touches, type ImpactRule } from "../impactRule";
import { isContent, reconcile } from "./addons";

/** Manifests of the user's own, where they are not like the program's add-ons. */

const set = "ClusterResourceSet";

export const extraManifestRules: readonly ImpactRule[] = [
  {
    id: "addon-applied-once",
    source: "CAPI v1.14.2 core/reconcilers/clusterresourceset/clusterresourceset_scope.go (needsApply)",
    match: isContent,
    claims: touches(set, /^spec\.resources\b/),
    what: ([{ part, kind }], { head }) =>
      kind === "update" &&
      head?.addons.find(({ name }) => name === part.name)?.applyOnce === true &&
      `Other contents of ${part.name} do not reach the workload cluster`,
    why: "its strategy is ApplyOnce: what Cluster API has applied it does not apply again",
    instead: "strategy: Reconcile, or kubectl apply in the workload cluster",
  },
  {
    id: "addon-set-replaced",
    source: `${reconcile}; core/webhooks/admission/clusterresourceset.go (the strategy is immutable)`,
    match: (difference) => touches(set)(difference) && difference.kind === "replace",
    claims: () => true,
    explain: (matched) => {
      const [{ part }] = matched;
      const { before, after } = findChange(matched, /^spec\.strategy$/) ?? {};
      return {
        what: `${part.name} is delivered by another set${after === undefined ? "" : `: strategy ${formatChange(before, after)}`}; nothing is deleted in the workload cluster`,
        why: `Cluster API takes no other strategy for a set; ${after === "ApplyOnce" ? "what is there already stays as it is" : "the new one applies its objects again"}`,
      };
    },
  },
];
