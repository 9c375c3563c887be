import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { labelsText, unmetAffinity, unmetSelector } from "capz-windows-platform/workloads/nodeAffinity";
import { at, numberAt } from "capz-windows-kit/untyped";
import { isWindowsPool, nodesOf, poolsOf } from "../cluster/scope";
import { type ClusterEvent, type KubeObject, stays } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { withAnswer } from "./answers";
import { eventProof, groupsOf, isFresh, isNotReady } from "./finders";
import type { Detectors, Match } from "./rule";
import { unscheduled } from "./unscheduled";

/** Pods that are not scheduled although there are nodes. */

/** The recent event by which the autoscaler says that it adds no node for a Pod that is not Ready. */
const refusal = (pod: KubeObject, world: World): ClusterEvent | undefined =>
  isNotReady(pod)
    ? world
        .eventsOf(pod, "workload")
        .find((one) => one.reason === "NotTriggerScaleUp" && one.count >= 5 && isFresh(one, world.now))
    : undefined;

const notScaledUp =
  (text: RegExp) =>
  (world: World): Match[] =>
    world.all("Pod", "workload").flatMap((object) => {
      const event = refusal(object, world);
      return event === undefined || !text.test(event.message)
        ? []
        : [{ object, proof: eventProof(object, event), vars: groupsOf(text, event.message) }];
    });

const isFull = /max node group size reached|max cluster (?:cpu|memory|size)/;
const isTooLarge = /Insufficient (?:memory|cpu|ephemeral-storage)/;

/** Whether the autoscaler says more of a Pod than the scheduler, which only finds no room for it. */
export const isRefusedByAutoscaler = (pod: KubeObject | undefined, world: World): boolean => {
  const event = pod && refusal(pod, world);
  return event !== undefined && [isFull, isTooLarge].some((text) => text.test(event.message));
};

/** Whether a node has what the Pod's nodeSelector, and the expressions of its required affinity, ask for. */
function isSelected(pod: KubeObject, { metadata }: KubeObject): boolean {
  const labels = Object.fromEntries(
    Object.entries(metadata.labels ?? {}).map(([key, value]) => [key, [value]]),
  );
  const selector = (at(pod.spec, "nodeSelector") ?? {}) as Record<string, string>;
  return unmetSelector(selector, labels).length === 0 && unmetAffinity(pod.spec, labels).length === 0;
}

const labelsAnnotation = "capacity.cluster-autoscaler.kubernetes.io/labels";

/** A pool without machines whose nodes would have what a Pod selects, as far as the management cluster knows them. */
const emptyPoolFor = (pod: KubeObject, world: World): KubeObject | undefined =>
  labelsText(pod.spec) === ""
    ? undefined
    : poolsOf(world).find((pool) => {
        const { name, annotations } = pool.metadata;
        const told = (annotations?.[labelsAnnotation] ?? "").split(",").map((label) => label.split("="));
        const labels = {
          "kubernetes.io/os": isWindowsPool(world, name) ? "windows" : "linux",
          ...(Object.fromEntries(told) as Record<string, string>),
        };
        return (
          stays(pool) &&
          numberAt(pool.spec, "replicas") === 0 &&
          isSelected(pod, { ...pool, metadata: { name, labels } })
        );
      });

/** Pods that select nodes of a pool without machines, and no node that there is. */
const poolEmpty = (world: World): Match[] =>
  unscheduled(/node affinity|node selector|untolerated taint|didn't match/)(world).flatMap((match) => {
    const { object } = match;
    const isWaiting = object !== undefined && !nodesOf(world).some((node) => isSelected(object, node));
    const pool = isWaiting ? emptyPoolFor(object, world) : undefined;
    if (pool === undefined) {
      return [];
    }
    const { name, annotations } = pool.metadata;
    const hasScaler = annotations?.[autoscalerAnnotation.max] !== undefined;
    const vars = {
      ...{ pool: name, selector: labelsText(object?.spec) },
      ...(hasScaler ? { scaler: "and the autoscaler has not enlarged it" } : {}),
    };
    return [{ ...match, vars: { ...match.vars, ...vars } }];
  });

export const scheduling: Detectors = {
  "pod-pool-empty": poolEmpty,
  "scale-up-limit": withAnswer(notScaledUp(isFull)),
  "scale-up-failed": withAnswer(notScaledUp(/in backoff after failed scale-up/)),
  "scale-up-none": withAnswer(notScaledUp(/didn't match|didn't tolerate|Insufficient|untolerated/)),
};
