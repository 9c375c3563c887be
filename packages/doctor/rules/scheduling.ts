import type { ClusterEvent, KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { withAnswer } from "./answers";
import { eventProof, isFresh, isNotReady } from "./finders";
import type { Detectors, Match } from "./rule";

/** Pods for which the autoscaler adds no node. */

/** The recent event by which it says so of a Pod that is not Ready. */
const refusal = (pod: KubeObject, world: World): ClusterEvent | undefined =>
  isNotReady(pod)
    ? world
        .eventsOf(pod, "workload")
        .find((one) => one.reason === "NotTriggerScaleUp" && one.count >= 5 && isFresh(one, world.now))
    : undefined;

const reasons =
  /max node group size reached|max cluster (?:cpu|memory|size)|in backoff after failed scale-up|didn't match|didn't tolerate|Insufficient|untolerated/;

const notScaledUp = (world: World): Match[] =>
  world.all("Pod", "workload").flatMap((object) => {
    const event = refusal(object, world);
    return event === undefined || !reasons.test(event.message)
      ? []
      : [{ object, proof: eventProof(object, event) }];
  });

/** Whether the autoscaler says more of a Pod than the scheduler, which only finds no room for it. */
export const isRefusedByAutoscaler = (pod: KubeObject | undefined, world: World): boolean => {
  const event = pod && refusal(pod, world);
  return (
    event !== undefined &&
    /max node group size reached|max cluster (?:cpu|memory|size)|Insufficient (?:memory|cpu|ephemeral-storage)/.test(
      event.message,
    )
  );
};

export const scheduling: Detectors = { "scale-up-none": withAnswer(notScaledUp) };
