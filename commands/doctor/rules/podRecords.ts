import { textAt } from "../../../tools/untyped";
import { type KubeObject, minutesBetween } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { withAnswer } from "./answers";
import type { Detectors, Match } from "./rule";

/** Pods that a node has refused or lost, and events of the controllers that create Pods. */

/** Pods that their node refused. They stay in the cluster with the phase Failed. */
const refused =
  (is: (reason: string) => boolean) =>
  (world: World): Match[] =>
    world.all("Pod", "workload").flatMap((object) => {
      const reason = textAt(object.status, "reason");
      return textAt(object.status, "phase") === "Failed" && is(reason) && isRecent(object, world)
        ? [
            {
              object,
              proof: {
                where: `Pod ${object.metadata.namespace ?? ""}/${object.metadata.name}, status.reason ${reason}`,
                text: textAt(object.status, "message") || reason,
              },
              vars: { reason },
            },
          ]
        : [];
    });

/** Whether a Pod started within the last four hours. Older failures are not reported. */
const isRecent = (pod: KubeObject, world: World): boolean =>
  minutesBetween(textAt(pod.status, "startTime") || (pod.metadata.creationTimestamp ?? ""), world.now) <
  4 * 60;

const otherOs = /^PodOS(?:NotSupported|SelectorNodeLabelDoesNotMatch)$/;
/** Reasons with rules of their own, or that belong to every drain and shutdown. */
const calm =
  /^(?:|Evicted|Terminated|Completed|Error|OOMKilled|Shutdown|NodeShutdown|Preempted|Preempting|TerminationByKubelet|DeletionByTaintManager|PodOSNotSupported|PodOSSelectorNodeLabelDoesNotMatch|DeadlineExceeded)$/;

export const podsRefused: Detectors = {
  "pod-other-os": withAnswer(refused((reason) => otherOs.test(reason))),
  "pod-refused": withAnswer(refused((reason) => !calm.test(reason))),
};
