import { at, isRecord, list, text, textAt } from "../../../tools/untyped";
import {
  formerConditionsOf,
  isTrue,
  minutesBetween,
  stays,
  title,
  type KubeObject,
} from "../../cluster/objects";
import { conditionProof, groupsOf, hasCondition, isInitialized, olderThan } from "./finders";
import { autoscalerDown } from "./autoscaler";
import { addonUnchangeable, unchangeable } from "./addonUnchangeable";
import { capiSource } from "./kinds";
import { cloudProviderRules } from "./cloudProvider";
import { networkNowhere } from "./networkNowhere";
import type { Family, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Add-ons, which ClusterResourceSets deliver to the workload cluster. */

/** The labels that a set selects and that the Cluster does not have. */
export const lackingLabels = (set: KubeObject, { cluster }: World): string[] => {
  const selected = at(set.spec, "clusterSelector", "matchLabels");
  return Object.entries(isRecord(selected) ? selected : {})
    .filter(([key, value]) => cluster?.metadata.labels?.[key] !== value)
    .map(([key, value]) => `${key}=${text(value)}`);
};

/** Sets of this cluster, by their name, that do not select it. A namespace may have other clusters and their sets. */
const notSelected = (world: World): Match[] =>
  world
    .all("ClusterResourceSet")
    .filter((set) => set.metadata.name.startsWith(`${world.snapshot.cluster.name}-`))
    .filter((set) => world.cluster !== undefined && stays(world.cluster) && olderThan(set, 5, world))
    .flatMap((object) => {
      const lacking = lackingLabels(object, world);
      return lacking.length === 0
        ? []
        : [
            {
              object,
              proof: {
                where: `${title(object)}, spec.clusterSelector.matchLabels; Cluster, metadata.labels`,
                text: `the Cluster does not have ${lacking.join(", ")}`,
              },
              vars: { labels: lacking.join(" and "), lacking: lacking.join(" ") },
            },
          ];
    });

/** ClusterResourceSets that select the cluster and are not applied some minutes after the API server answered. */
const notApplied = (world: World): Match[] => {
  if (!isInitialized(world)) {
    return [];
  }
  const sets = world.all("ClusterResourceSet").filter((set) => lackingLabels(set, world).length === 0);
  return sets.flatMap((object) => {
    const binding = list(
      at(world.find("ClusterResourceSetBinding", world.snapshot.cluster.name)?.spec, "bindings"),
    ).find((each) => textAt(each, "clusterResourceSetName") === object.metadata.name);
    const resources = list(at(binding, "resources"));
    const missing = resources.filter((resource) => at(resource, "applied") !== true);
    const isLate = olderThan(object, 20, world) && minutesInitialized(world) >= 20;
    return isLate && !isTrue(object, "ResourcesApplied") && (binding === undefined || missing.length > 0)
      ? [
          {
            object,
            proof: {
              where: `ClusterResourceSetBinding ${world.snapshot.cluster.name}`,
              text:
                binding === undefined
                  ? `no binding of ${object.metadata.name}`
                  : `not applied: ${missing.map((resource) => textAt(resource, "name")).join(", ")}`,
            },
            vars: { minutes: String(Math.round(minutesInitialized(world))) },
          },
        ]
      : [];
  });
};

const minutesInitialized = (world: World): number => {
  const since = list(at(world.cluster?.status, "conditions")).find(
    (condition) => textAt(condition, "type") === "ControlPlaneInitialized",
  );
  return minutesBetween(textAt(since, "lastTransitionTime"), world.now);
};

/** The conditions of v1beta1 have the text of the error, those of v1beta2 only that there was one. */
const applyFails =
  (text: RegExp, minutes: number, reason?: RegExp) =>
  (world: World): Match[] =>
    world.all("ClusterResourceSet").flatMap((object) => {
      const found = formerConditionsOf(object).find(
        (condition) =>
          condition.status === "False" &&
          text.test(condition.message) &&
          (reason?.test(condition.reason) ?? true) &&
          olderThan(object, minutes, world) &&
          minutesBetween(condition.since, world.now) >= minutes,
      );
      return found === undefined
        ? []
        : [
            {
              object,
              proof: conditionProof(object, found),
              vars: groupsOf(text, found.message),
            },
          ];
    });

export const addons: Family = {
  name: "add-ons",
  title: "Add-ons: ClusterResourceSets and the cloud provider",
  intro: "What a cluster needs before its nodes become Ready.",
  rules: [
    {
      id: "add-on-missing",
      stage: "add-ons",
      symptom: "ClusterResourceSet: RetrievingResourceFailed",
      cause: "The ConfigMap or Secret that the set {name} names cannot be read: {why}",
      remedy: ["npx pulumi up --stack {stack} --refresh", "kubectl get configmaps -n {namespace}"],
      source: `${capiSource} core/reconcilers/clusterresourceset`,
      find: applyFails(/(?<why>[^]+)/, 2, /^RetrievingResourceFailed$/),
    },
    {
      id: "add-on-secret-type",
      stage: "add-ons",
      symptom: "ClusterResourceSet: WrongSecretType",
      cause:
        "A Secret of the set {name} is not of the type addons.cluster.x-k8s.io/resource-set, so it is ignored.",
      remedy: [
        "kubectl create secret generic NAME -n {namespace} --type=addons.cluster.x-k8s.io/resource-set --from-file=FILE",
      ],
      source: `${capiSource} core/reconcilers/clusterresourceset`,
      find: hasCondition({
        kinds: ["ClusterResourceSet"],
        type: "ResourcesApplied",
        reason: /^WrongSecretType$/,
      }),
    },
    {
      id: "add-on-crd-missing",
      stage: "add-ons",
      symptom: "ClusterResourceSet: no matches for kind ...",
      cause:
        "The set {name} has an object of kind {crd} whose CRD does not exist yet: the operator that installs it has not started. Cluster API waits up to 17 minutes between two attempts.",
      remedy: [
        'kubectl annotate clusterresourceset {name} -n {namespace} capz-windows/retry="$(date)" --overwrite   # tries again at once',
        "kubectl --kubeconfig workload.kubeconfig get pods -n tigera-operator",
      ],
      source: `${capiSource} core/reconcilers/clusterresourceset; controller-runtime: backoff of 5 ms to 1000 s`,
      follows: ["operator-dns", "operator-crashes", "image-pull", "no-kubeconfig"],
      find: applyFails(/no matches for kind "?(?<crd>\w+)/, 10),
    },
    {
      id: "add-on-too-large",
      stage: "add-ons",
      symptom: "ClusterResourceSet: Too long, or request entity too large",
      cause: "An object of the set {name} is larger than the API server accepts in one piece.",
      remedy: ["Split the add-on, or install it with Helm once the cluster exists (docs/operations.md)."],
      source: "calico #9517; book-of-kubernetes #45",
      find: applyFails(
        /[Tt]oo long: (?:may|must) (?:have at most|not be more than)|entity too large|etcdserver: request is too large/,
        1,
      ),
    },
    addonUnchangeable(applyFails(unchangeable, 1)),
    {
      id: "add-on-refused",
      stage: "add-ons",
      symptom: "ClusterResourceSet: ApplyFailed",
      cause: "The workload API server refuses an object of the set {name}: {why}.",
      remedy: [
        "kubectl describe clusterresourceset {name} -n {namespace}",
        "kubectl logs deploy/capi-controller-manager -n capi-system --tail=50 | grep ClusterResourceSet",
      ],
      source: `${capiSource} core/reconcilers/clusterresourceset`,
      follows: ["workload-unreachable-from-management", "webhook-down"],
      find: applyFails(
        /^(?!.*(?:no matches for kind|connection (?:refused|to the workload cluster is down)|i\/o timeout|EOF))(?<why>.+)/s,
        5,
        /^ApplyFailed$/,
      ),
    },
    {
      id: "add-on-unreachable",
      stage: "add-ons",
      symptom: "ClusterResourceSet: RemoteClusterClientFailed",
      cause: "Cluster API cannot reach the workload cluster to apply the set {name}: {why}.",
      remedy: [
        "kubectl logs deploy/capi-controller-manager -n capi-system --tail=50",
        "kubectl get secret {cluster}-kubeconfig -n {namespace}",
      ],
      source: `${capiSource} core/reconcilers/clusterresourceset`,
      follows: ["workload-unreachable-from-management", "control-plane", "azure-limits", "azure-resources"],
      find: applyFails(/(?<why>[^]*)/, 10, /^RemoteClusterClientFailed$/),
    },
    {
      id: "add-on-selector",
      stage: "add-ons",
      symptom: "ClusterResourceSet: ClusterMatchFailed",
      cause: "The selector of the set {name} is not valid, so it matches no Cluster: {why}.",
      remedy: ["kubectl get clusterresourceset {name} -n {namespace} -o jsonpath='{.spec.clusterSelector}'"],
      source: `${capiSource} core/reconcilers/clusterresourceset`,
      find: applyFails(/(?<why>[^]*)/, 2, /^ClusterMatchFailed$/),
    },
    autoscalerDown,
    ...cloudProviderRules,
    ...networkNowhere,
    {
      id: "add-on-not-selected",
      stage: "add-ons",
      symptom: "a ClusterResourceSet does not select its Cluster",
      cause:
        "The set {name} selects clusters with the label {labels}, which the Cluster {cluster} does not have, so nothing of the set is delivered.",
      remedy: [
        "kubectl label cluster {cluster} -n {namespace} {lacking} --overwrite",
        "npx pulumi up --stack {stack} --refresh   # the program sets this label",
      ],
      source: `${capiSource} core/reconcilers/clusterresourceset`,
      find: notSelected,
    },
    {
      id: "add-on-not-applied",
      stage: "add-ons",
      symptom: "a ClusterResourceSet is not applied",
      cause: "The set {name} has not been applied {minutes} minutes after the API server answered.",
      remedy: [
        'kubectl annotate clusterresourceset {name} -n {namespace} capz-windows/retry="$(date)" --overwrite   # tries again at once',
        "kubectl logs deploy/capi-controller-manager -n capi-system --tail=50 | grep -i clusterresourceset",
      ],
      source: `${capiSource} core/reconcilers/clusterresourceset`,
      generic: true,
      find: notApplied,
    },
  ],
};
