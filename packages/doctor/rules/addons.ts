import { withAnswer, withVars } from "./answers";
import { at, isRecord, list, text, textAt } from "capz-windows-kit/untyped";
import {
  formerConditionsOf,
  isTrue,
  minutesBetween,
  stays,
  title,
  type KubeObject,
} from "../cluster/objects";
import { anyOf, conditionProof, groupsOf, hasCondition, isInitialized, olderThan } from "./finders";
import { autoscalerDown } from "./autoscaler";
import { cloudProviderRules } from "./cloudProvider";
import type { Detectors, Match, Find } from "./rule";
import type { World } from "../cluster/snapshot";
import { present } from "capz-windows-kit/present";

/** Add-ons, which ClusterResourceSets deliver to the workload cluster. */

/** The set names the object, and the API server its field; the message may be about several objects. */
const unchangeable =
  /patching object \S*, Kind=(?<what>\w+) (?:(?<place>[^\s/]+)\/)?(?<object>[^\s/]+?): (?:(?!patching object| is invalid: )[^])* is invalid: (?:(?!patching object)[^])*?(?<![\w.[\]])(?<field>[\w.[\]]+): (?:Invalid value|Forbidden): (?:(?!patching object)[^])*?(?:immutable|may not be changed|may not change once set|cannot change roleRef|updates to [^]{1,300}? are forbidden)/;

/** The arguments of `kubectl delete` for the object. */
const withObject = (find: Find): Find =>
  withVars(find, ({ vars: { what = "", object = "", place } }) => ({
    thing: `${what.toLowerCase()} ${object}${place === undefined ? "" : ` -n ${place}`}`,
  }));

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
      return present(
        lacking.length > 0 && {
          object,
          proof: {
            where: `${title(object)}, spec.clusterSelector.matchLabels; Cluster, metadata.labels`,
            text: `the Cluster does not have ${lacking.join(", ")}`,
          },
          vars: { labels: lacking.join(" and "), lacking: lacking.join(" ") },
        },
      );
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
    return present(
      isLate &&
        !isTrue(object, "ResourcesApplied") &&
        (binding === undefined || missing.length > 0) && {
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
    );
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
      return present(
        found !== undefined && {
          object,
          proof: conditionProof(object, found),
          vars: groupsOf(text, found.message),
        },
      );
    });

/** APIs that other servers serve through the API server: those of metrics-server and of Calico's, or all others. */
const apiServices = (own: boolean) =>
  withVars(
    hasCondition({
      ...{ kinds: ["APIService"], side: "workload", type: "Available", minutes: 15 },
      where: ({ metadata }) => /^v\w+\.(?:metrics\.k8s\.io|projectcalico\.org)$/.test(metadata.name) === own,
    }),
    ({ object }) => ({
      service: textAt(object?.spec, "service", "name"),
      where: textAt(object?.spec, "service", "namespace"),
    }),
  );

export const addons: Detectors = {
  "add-on-missing": applyFails(/(?<why>[^]+)/, 2, /^RetrievingResourceFailed$/),
  "add-on-unchangeable": withObject(applyFails(unchangeable, 1)),
  "add-on-refused": anyOf(
    applyFails(
      /^(?!.*(?:no matches for kind|connection (?:refused|to the workload cluster is down)|i\/o timeout|EOF))(?<why>.+)/s,
      5,
      /^ApplyFailed$/,
    ),
    // The operator that installs the CRD has just begun.
    applyFails(/^(?<why>.*no matches for kind.*)/s, 10),
  ),
  "add-on-unreachable": applyFails(/(?<why>[^]*)/, 10, /^RemoteClusterClientFailed$/),
  "add-on-selector": applyFails(/(?<why>[^]*)/, 2, /^ClusterMatchFailed$/),
  ...autoscalerDown,
  ...cloudProviderRules,
  "add-on-not-selected": notSelected,
  "add-on-not-applied": notApplied,
  "own-api-service": apiServices(true),
  "api-service": withAnswer(apiServices(false)),
};
