import { textAt } from "../../../tools/untyped";
import { type KubeObject, minutesBetween } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { withAnswer } from "./answers";
import { describePod } from "./commands";
import type { Match, Rule } from "./rule";

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

export const podsRefused: readonly Rule[] = [
  {
    id: "pod-other-os",
    stage: "pods",
    symptom: "PodOSNotSupported or PodOSSelectorNodeLabelDoesNotMatch",
    cause:
      "{name} is for another operating system than its node {node} has, and was bound to it by name or by another scheduler: {why}.",
    remedy: [
      "nodeSelector: {kubernetes.io/os: windows}   # and os: {name: windows}, both for the system of the image; no nodeName",
      describePod,
    ],
    source: "kubernetes v1.36.3, pkg/kubelet/lifecycle/predicate.go",
    find: withAnswer(refused((reason) => otherOs.test(reason))),
  },
  {
    id: "pod-refused",
    stage: "pods",
    severity: "warning",
    symptom: "Failed: OutOfcpu, OutOfpods, NodeAffinity, UnexpectedAdmissionError, NodeLost and the like",
    cause: "The node {node} has refused or lost {name} ({reason}): {why}.",
    remedy: [
      describePod,
      "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace}   # it stays as a record; its owner makes another one",
      "capz-windows:windowsPools: {{pool}: {kubelet: {maxPods: MORE}}}   # for OutOfpods",
    ],
    source: "kubernetes v1.36.3, pkg/kubelet/lifecycle/predicate.go",
    follows: ["nodes", "machines"],
    find: withAnswer(refused((reason) => !calm.test(reason))),
  },
];

/** Events of kubelet about what keeps a Pod from starting, or what it runs without. */
export const podNotices: readonly Rule[] = [];

/** Events of the controllers that create Pods. */
export const ownerEvents: readonly Rule[] = [];
