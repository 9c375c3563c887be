import { textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { anyOf, isFresh, isNotReady, olderThan, warned } from "./finders";
import { podWith } from "./podFinders";
import { unexplainedObjects } from "./unexplainedObjects";
import { withAnswer } from "./answers";
import type { Detectors } from "./rule";

/** Rules that come after all others, so that everything that does not work is reported, even without a known cause. */

/** Whether a Pod is Pending on a Ready node, without any event in the last half hour. */
const isForgotten = (pod: KubeObject, world: World): boolean => {
  const node = world.find("Node", textAt(pod.spec, "nodeName"));
  return (
    node !== undefined &&
    !isNotReady(node) &&
    textAt(pod.status, "phase") === "Pending" &&
    world.eventsOf(pod, "workload").every((event) => !isFresh(event, world.now))
  );
};

export const unexplained: Detectors = {
  "pod-not-started": withAnswer(
    anyOf(
      warned({
        kinds: ["Pod"],
        side: "workload",
        where: (pod, world) => isNotReady(pod) && olderThan(pod, 15, world),
        text: /^(?:FailedCreatePodSandBox|FailedMount|FailedAttachVolume|FailedMapVolume|FailedPostStartHook): /,
        times: 5,
      }),
      podWith({
        side: "workload",
        minutes: 10,
        container: ({ waiting, message, ended, endMessage }) => {
          if (waiting === "CrashLoopBackOff" && ended === "StartError") {
            return `${ended}: ${endMessage}`;
          }
          return /^(?:CreateContainerError|RunContainerError|StartError)$/.test(waiting)
            ? `${waiting}: ${message}`
            : undefined;
        },
      }),
      podWith({
        side: "workload",
        minutes: 15,
        container: ({ waiting, message }) =>
          waiting === "" || /^(?:ContainerCreating|PodInitializing|CrashLoopBackOff)$/.test(waiting)
            ? undefined
            : `${waiting}: ${message || "no message"}`,
      }),
    ),
  ),
  ...unexplainedObjects,
  "pod-not-begun": podWith({
    side: "workload",
    minutes: 40,
    text: /^(?<reason>\w+)/,
    where: isForgotten,
    container: ({ waiting }) =>
      /^(?:ContainerCreating|PodInitializing)$/.test(waiting) ? waiting : undefined,
  }),
};
