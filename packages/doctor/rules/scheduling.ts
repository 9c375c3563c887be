import { at, list, textAt } from "capz-windows-kit/untyped";
import { minutesBetween, stays, type ClusterEvent, type KubeObject } from "../cluster/objects";
import { unscheduled } from "./unscheduled";
import { nodesOf } from "../cluster/scope";
import type { Detectors, Match, Find } from "./rule";
import type { World } from "../cluster/snapshot";
import { withAnswer, withVars } from "./answers";
import { eventProof, groupsOf, isFresh, isNotReady } from "./finders";

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
const isTooLarge = /Insufficient (?<resource>memory|cpu|ephemeral-storage)/;

/** Whether the autoscaler says more of a Pod than the scheduler, which only finds no room for it. */
export const isRefusedByAutoscaler = (pod: KubeObject | undefined, world: World): boolean => {
  const event = pod && refusal(pod, world);
  return event !== undefined && [isFull, isTooLarge].some((text) => text.test(event.message));
};

/** Adds `{asked}`, the requests of the Pod's containers for the resource that is insufficient. */
const asked = (find: Find) =>
  withVars(find, ({ object, vars }) => {
    const requests = list(at(object?.spec, "containers"))
      .map((container) => at(container, "resources", "requests", vars.resource ?? ""))
      .filter((value) => typeof value === "string" || typeof value === "number");
    return { asked: requests.join(" + ") || "requests of its containers" };
  });

const cordonTaint = "node.kubernetes.io/unschedulable";

/** Minutes after which a cordoned node is reported; upgrades and scale-ins also cordon nodes while they drain them. */
const cordonedMinutes = 24 * 60;

/** Nodes that have been cordoned for long, and whose machines are not being deleted. */
const cordoned = (world: World): Match[] =>
  nodesOf(world).flatMap((object) => {
    const taint = list(at(object.spec, "taints")).find((each) => textAt(each, "key") === cordonTaint);
    const since = textAt(taint, "timeAdded");
    return at(object.spec, "unschedulable") === true &&
      stays(object) &&
      minutesBetween(since, world.now) >= cordonedMinutes
      ? [
          {
            object,
            proof: { where: `Node ${object.metadata.name}, spec.unschedulable`, text: "true", since },
          },
        ]
      : [];
  });

export const scheduling: Detectors = {
  "scale-up-limit": withAnswer(notScaledUp(isFull)),
  "scale-up-failed": withAnswer(notScaledUp(/in backoff after failed scale-up/)),
  "scale-up-too-large": withAnswer(asked(notScaledUp(isTooLarge))),
  "scale-up-none": withAnswer(notScaledUp(/didn't match|didn't tolerate|Insufficient|untolerated/)),
  "pod-cordoned": (world) => {
    const nodes = nodesOf(world)
      .filter(({ spec }) => at(spec, "unschedulable") === true)
      .map(({ metadata }) => metadata.name);
    return nodes.length === 0
      ? []
      : withVars(unscheduled(/were unschedulable/), () => ({ nodes: nodes.join(", ") }))(world);
  },
  "node-cordoned": cordoned,
};
