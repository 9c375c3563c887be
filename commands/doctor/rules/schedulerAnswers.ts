import { at, list } from "../../../tools/untyped";
import type { ClusterEvent, KubeObject } from "../../cluster/objects";
import { withAnswer } from "./answers";
import { eventProof, groupsOf, isFresh, isNotReady } from "./finders";
import type { PodAnswer } from "./podAnswers";
import type { Match, Rule } from "./rule";
import { machinesMissing, unscheduled } from "./unscheduled";
import { describePod, workloadKubectl } from "./commands";
import type { World } from "../../cluster/snapshot";

/** Messages of the scheduler that finds no node for a Pod, and of the cluster autoscaler about such Pods. */

const source = "kubernetes v1.36.3, pkg/scheduler/framework/plugins";

const waits = ({ text, ...rule }: PodAnswer): Rule => ({
  stage: "pods",
  source,
  follows: machinesMissing,
  ...rule,
  find: withAnswer(unscheduled(text)),
});

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

export const schedulerAnswers: readonly Rule[] = [
  {
    id: "scale-up-limit",
    stage: "pods",
    symptom: "NotTriggerScaleUp: max node group size reached",
    cause: "The pool that fits {name} has its largest size already, so the autoscaler adds no node: {why}.",
    remedy: ["capz-windows:windowsPools: {POOL: {autoscale: {max: MORE}}}", describePod],
    source: "cluster-autoscaler 1.35, core/scaleup",
    find: withAnswer(notScaledUp(isFull)),
  },
  {
    id: "scale-up-failed",
    stage: "pods",
    symptom: "NotTriggerScaleUp: in backoff after failed scale-up",
    cause:
      "The autoscaler has tried to add a node for {name}, and that failed: the pool gets no machine, or it does not join.",
    remedy: [
      "kubectl get machinepools,machinedeployments,azuremachinepools -n {namespace}",
      "kubectl logs deployment/{cluster}-autoscaler -n {namespace} --tail=30   # in the management cluster",
    ],
    source: "cluster-autoscaler 1.35, core/scaleup",
    follows: machinesMissing,
    find: withAnswer(notScaledUp(/in backoff after failed scale-up/)),
  },
  {
    id: "scale-up-too-large",
    stage: "pods",
    symptom: "NotTriggerScaleUp: it wouldn't fit if a new node is added: Insufficient memory or cpu",
    cause:
      "{name} asks for more {resource} ({asked}) than a machine of the pool that fits it has, even an empty one, so the autoscaler adds no node: {why}.",
    remedy: [
      "capz-windows:windowsPools: {POOL: {vmSize: Standard_D16s_v5}}   # a size with more {resource}; new machines have it",
      "resources: {requests: {{resource}: LESS}}   # of the Pod's containers, if they do not need that much",
      `${workloadKubectl} get nodes -o custom-columns=NAME:.metadata.name,CPU:.status.allocatable.cpu,MEMORY:.status.allocatable.memory   # what a machine has for Pods`,
    ],
    source: "cluster-autoscaler 1.35, core/scaleup",
    find: withAnswer(asked(notScaledUp(isTooLarge))),
  },
  {
    id: "scale-up-none",
    stage: "pods",
    symptom: "NotTriggerScaleUp: node(s) didn't match ...",
    cause: "The autoscaler knows no pool whose nodes would take {name}: {why}.",
    remedy: [
      "nodeSelector: {kubernetes.io/os: windows}   # of the Pod: labels and taints of a pool with autoscale",
      "capz-windows:windowsPools: {POOL: {autoscale: {min: 0, max: 3}}}",
      describePod,
    ],
    source: "cluster-autoscaler 1.35, core/scaleup",
    follows: [...machinesMissing, "pod-pool-empty"],
    find: withAnswer(notScaledUp(/didn't match|didn't tolerate|Insufficient|untolerated/)),
  },
  waits({
    id: "pod-no-nodes",
    symptom: "no nodes available to schedule pods",
    cause: "The cluster has no node at all that takes Pods.",
    remedy: [
      `${workloadKubectl} get nodes`,
      "clusterctl describe cluster {cluster} -n {namespace} --show-conditions all --grouping=false",
    ],
    text: /no nodes available to schedule pods/,
  }),
  waits({
    id: "pod-count",
    symptom: "FailedScheduling: Too many pods",
    cause: "The nodes that fit {name} have as many Pods as they may have (maxPods of the kubelet).",
    remedy: [
      "capz-windows:windowsPools: {POOL: {kubelet: {maxPods: MORE}}}   # new machines have it",
      "capz-windows:windowsPools: {POOL: {replicas: MORE}}",
    ],
    text: /Too many pods/,
  }),
  waits({
    id: "pod-volume-count",
    symptom: "FailedScheduling: node(s) exceed max volume count",
    cause: "The nodes that fit {name} have as many disks attached as their VM size takes.",
    remedy: [
      `${workloadKubectl} get csinodes -o custom-columns=NAME:.metadata.name,DISKS:.spec.drivers[*].allocatable.count`,
      "capz-windows:windowsPools: {POOL: {vmSize: A-SIZE-WITH-MORE-DATA-DISKS}}",
    ],
    text: /exceed max volume count/,
  }),
];

/** The last rule about scheduling: messages that no other one matches. */
export const otherScheduling: Rule = {
  id: "pod-unschedulable",
  stage: "pods",
  symptom: "FailedScheduling, for another reason",
  cause: "The scheduler finds no node for {name}: {why}.",
  remedy: [describePod, `${workloadKubectl} get nodes -o wide`],
  source,
  generic: true,
  follows: machinesMissing,
  find: withAnswer(
    unscheduled(/^(?![^]*(?:Insufficient|untolerated|affinity|unschedulable|uninitialized|not-ready))[^]+/),
  ),
};
