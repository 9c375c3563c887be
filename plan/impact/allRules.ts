import type { Difference } from "./differences";
import { formatList } from "./format";
import type { Severity } from "./impact";
import type { ImpactRule } from "./impactRule";
import { addonRules } from "./rules/addons";
import { autoscalerRules } from "./rules/autoscaler";
import { aksRules } from "./rules/aks";
import { azureRules } from "./rules/azure";
import { bastionRules } from "./rules/bastion";
import { calicoRules } from "./rules/calico";
import { clusterRules } from "./rules/cluster";
import { clusterApiRules } from "./rules/clusterApi";
import { clusterRoleRules } from "./rules/clusterRoles";
import { controlPlaneRules } from "./rules/controlPlane";
import { deletionRules } from "./rules/deletion";
import { deploymentRules } from "./rules/deployments";
import { extraManifestRules } from "./rules/extraManifests";
import { metadataRules, providerRules } from "./rules/metadata";
import { keptWayOutRules, outboundRules } from "./rules/outbound";
import { ownNetworkRules } from "./rules/ownNetwork";
import { peeringRules } from "./rules/peerings";
import { privateLinkRules } from "./rules/privateLink";
import { placementRules } from "./rules/placement";
import { poolLifecycleRules } from "./rules/poolLifecycle";
import { poolRules } from "./rules/pools";
import { poolReplicasRules } from "./rules/poolReplicas";
import { sampleRules } from "./rules/sample";
import { windowsReleaseRules } from "./rules/windowsRelease";

/** All rules, in the order in which they are asked: what concerns the whole stack first, then its parts. */
export const impactRules: readonly ImpactRule[] = [
  ...clusterRules,
  ...keptWayOutRules,
  ...placementRules,
  ...windowsReleaseRules,
  ...poolLifecycleRules,
  ...deletionRules,
  ...poolRules,
  ...deploymentRules,
  ...poolReplicasRules,
  ...controlPlaneRules,
  ...aksRules,
  ...metadataRules,
  ...sampleRules,
  ...autoscalerRules,
  ...bastionRules,
  ...privateLinkRules,
  ...azureRules,
  ...outboundRules,
  ...peeringRules,
  ...clusterApiRules,
  ...clusterRoleRules,
  ...extraManifestRules,
  ...ownNetworkRules,
  ...calicoRules,
  ...addonRules,
  ...providerRules,
];

const kindSeverity: Readonly<Record<Difference["kind"], Severity>> = {
  delete: "destroys",
  replace: "replaces",
  update: "changes",
  create: "changes",
};

const verbs: Readonly<Record<Difference["kind"], string>> = {
  delete: "is deleted",
  replace: "is deleted and created again",
  update: "changes",
  create: "is new",
};

/** Reports what no rule knows: nothing that differs is left out. */
export const fallbackRule: ImpactRule = {
  id: "other",
  severity: "changes",
  source: "project",
  per: "resource",
  match: () => true,
  explain: (matched) => {
    const [{ kind, type, resource, custom }] = matched;
    const paths = [...new Set(matched.map(({ path }) => path).filter((path) => path !== ""))];
    return {
      severity: custom ? kindSeverity[kind] : "metadata",
      what: `${type} ${resource.name} ${verbs[kind]}${paths.length > 0 ? `: ${formatList(paths)}` : ""}`,
      why: custom
        ? "no rule knows the effect of this change: read its properties"
        : "a component only groups resources in Pulumi's state; they are listed on their own",
    };
  },
};
