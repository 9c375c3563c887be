import { textAt } from "../../domain/untyped";
import { type KubeObject, minutesBetween } from "../model/objects";
import type { World } from "../model/snapshot";
import { withAnswer } from "./answers";
import { podEvent } from "./podAnswers";
import { eventsOfKinds } from "./podFinders";
import { describePod } from "./commands";
import type { Match, Rule, Severity } from "./rule";

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
    proof: "Pod, status.reason",
    remedy: [
      "nodeSelector: {kubernetes.io/os: windows}   # and os: {name: windows}, both for the system of the image; no nodeName",
      describePod,
    ],
    source: "kubernetes v1.36.3, pkg/kubelet/lifecycle/predicate.go",
    find: withAnswer(refused((reason) => otherOs.test(reason))),
  },
  {
    id: "pod-deadline",
    stage: "pods",
    severity: "warning",
    symptom: "DeadlineExceeded: Pod was active on the node longer than the specified deadline",
    cause: "{name} ran longer than its activeDeadlineSeconds allows and was ended.",
    proof: "Pod, status.reason",
    remedy: [
      "activeDeadlineSeconds: MORE   # of the Pod or its Job, when the work takes longer",
      describePod,
    ],
    source: "kubernetes v1.36.3, pkg/kubelet/active_deadline.go",
    find: withAnswer(refused((reason) => reason === "DeadlineExceeded")),
  },
  {
    id: "pod-refused",
    stage: "pods",
    severity: "warning",
    symptom: "Failed: OutOfcpu, OutOfpods, NodeAffinity, UnexpectedAdmissionError, NodeLost and the like",
    cause: "The node {node} has refused or lost {name} ({reason}): {why}.",
    proof: "Pod, status.reason and status.message",
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

const notice = podEvent("pods", "kubernetes v1.36.3, pkg/kubelet/events", 5);

/** Events of kubelet about what keeps a Pod from starting, or what it runs without. */
export const podNotices: readonly Rule[] = [
  notice({
    id: "pull-secret-missing",
    severity: "warning",
    symptom: "FailedToRetrieveImagePullSecret",
    cause: "An imagePullSecret of {name} does not exist, so its image is pulled without a login: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig create secret docker-registry NAME -n {podNamespace} --docker-server=REGISTRY --docker-username=USER --docker-password=PASSWORD",
      "kubectl --kubeconfig workload.kubeconfig get pod {name} -n {podNamespace} -o jsonpath='{.spec.imagePullSecrets}'",
    ],
    text: /^FailedToRetrieveImagePullSecret/,
  }),
  notice({
    id: "dynamic-resources",
    symptom: "FailedPrepareDynamicResources",
    cause: "A resource claim of {name} is not prepared on {node}: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get resourceclaims,resourceslices -n {podNamespace}",
      describePod,
    ],
    text: /^FailedPrepareDynamicResources|FailedResourceClaimCreation/,
  }),
  notice({
    id: "resize-infeasible",
    severity: "warning",
    symptom: "ResizeInfeasible or ResizeDeferred",
    cause: "{name} cannot be resized in its place on {node}: {why}.",
    remedy: [
      "resources: {requests: {cpu: LESS}}   # or delete the Pod: a new one is scheduled where there is room",
      describePod,
    ],
    text: /^Resize(?:Infeasible|Deferred|Error)/,
  }),
];

interface OwnerEvent {
  readonly id: string;
  readonly kinds: readonly string[];
  readonly symptom: string;
  readonly cause: string;
  readonly remedy: readonly string[];
  readonly text: RegExp;
  readonly times?: number;
  readonly severity?: Severity;
}

const owner = ({ kinds, text, times = 1, ...rule }: OwnerEvent): Rule => ({
  stage: "pods",
  proof: `${kinds.join(", ")}: events`,
  source: "kubernetes v1.36.3, pkg/controller",
  severity: "warning",
  ...rule,
  find: withAnswer(eventsOfKinds(kinds, text, times)),
});

/** Events of the controllers that create Pods. */
export const ownerEvents: readonly Rule[] = [
  owner({
    id: "autoscaler-target",
    kinds: ["HorizontalPodAutoscaler"],
    symptom: "FailedGetScale",
    cause: "The autoscaler {name} does not find what it is to scale: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get horizontalpodautoscaler {name} -n {podNamespace} -o jsonpath='{.spec.scaleTargetRef}'",
    ],
    text: /^FailedGetScale/,
    times: 5,
  }),
  owner({
    id: "autoscaler-request",
    kinds: ["HorizontalPodAutoscaler"],
    symptom: "missing request for cpu in container",
    cause:
      "The autoscaler {name} computes percentages of requests, and a container of its Pods has none: {why}.",
    remedy: [
      "resources: {requests: {cpu: 250m, memory: 512Mi}}   # of every container of the Pods, sidecars included",
    ],
    text: /missing request for/,
    times: 5,
  }),
  owner({
    id: "job-failed",
    kinds: ["Job"],
    symptom: "Job: BackoffLimitExceeded or DeadlineExceeded",
    cause: "The Job {name} has failed for good, by its backoffLimit or its activeDeadlineSeconds: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig logs -n {podNamespace} -l job-name={name} --all-containers --tail=30",
      "kubectl --kubeconfig workload.kubeconfig describe job {name} -n {podNamespace}",
    ],
    text: /^(?:BackoffLimitExceeded|DeadlineExceeded|PodFailurePolicy|FailedIndexes)/,
  }),
  owner({
    id: "cron-job-missed",
    kinds: ["CronJob"],
    symptom: "TooManyMissedTimes",
    cause: "The CronJob {name} has missed more than 100 starts and makes no further Job: {why}.",
    remedy: [
      "startingDeadlineSeconds: 200   # of the CronJob: only the starts of this time count",
      "kubectl --kubeconfig workload.kubeconfig get cronjob {name} -n {podNamespace} -o yaml",
    ],
    text: /^TooManyMissedTimes|too many missed start/,
  }),
  owner({
    id: "cron-job-schedule",
    kinds: ["CronJob"],
    symptom: "UnknownTimeZone, InvalidSchedule or UnparseableSchedule",
    cause: "The CronJob {name} has a schedule or a time zone that does not exist: {why}.",
    remedy: ["timeZone: Europe/Berlin   # a name of the IANA database; schedule: '0 3 * * *'"],
    text: /^(?:UnknownTimeZone|InvalidSchedule|UnparseableSchedule|UnParseableCronJobSchedule|UnsupportedSchedule)/,
  }),
  owner({
    id: "daemon-pod-failed",
    kinds: ["DaemonSet"],
    symptom: "FailedDaemonPod: Found failed daemon pod",
    cause:
      "A Pod of the DaemonSet {name} fails on its node again and again, and is recreated each time: {why}.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig describe daemonset {name} -n {podNamespace}",
      "kubectl --kubeconfig workload.kubeconfig get pods -n {podNamespace} -o wide",
    ],
    text: /^FailedDaemonPod/,
    times: 5,
  }),
];
