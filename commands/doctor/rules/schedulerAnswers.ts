import { at, list } from "../../../tools/untyped";
import type { ClusterEvent, KubeObject } from "../../cluster/objects";
import { withAnswer } from "./answers";
import { eventProof, groupsOf, isFresh, isNotReady } from "./finders";
import type { Detectors, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

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
const isTooLarge = /Insufficient (?<resource>memory|cpu|ephemeral-storage)/;

/** Whether the autoscaler says more of a Pod than the scheduler, which only finds no room for it. */
export const isRefusedByAutoscaler = (pod: KubeObject | undefined, world: World): boolean => {
  const event = pod && refusal(pod, world);
  return event !== undefined && [isFull, isTooLarge].some((text) => text.test(event.message));
};

/** Adds `{asked}`, the requests of the Pod's containers for the resource that is insufficient. */
const asked =
  (find: (world: World) => readonly Match[]) =>
  (world: World): Match[] =>
    find(world).map((match) => {
      const requests = list(at(match.object?.spec, "containers"))
        .map((container) => at(container, "resources", "requests", match.vars?.resource ?? ""))
        .filter((value) => typeof value === "string" || typeof value === "number");
      return {
        ...match,
        vars: { asked: requests.join(" + ") || "requests of its containers", ...match.vars },
      };
    });

export const schedulerAnswers: Detectors = {
  "scale-up-limit": withAnswer(notScaledUp(isFull)),
  "scale-up-failed": withAnswer(notScaledUp(/in backoff after failed scale-up/)),
  "scale-up-too-large": withAnswer(asked(notScaledUp(isTooLarge))),
  "scale-up-none": withAnswer(notScaledUp(/didn't match|didn't tolerate|Insufficient|untolerated/)),
};
