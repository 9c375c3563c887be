import { textAt } from "../../../tools/untyped";
import { conditionNamed, minutesBetween, stays, type KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { anyOf, isFresh, isNotReady, olderThan, warned } from "./finders";
import { podWith } from "./podFinders";
import { unexplainedObjects } from "./unexplainedObjects";
import { withAnswer } from "./answers";
import { otherScheduling } from "./schedulerAnswers";
import { mountWaits } from "./volumeAnswers";
import { describePod } from "./commands";
import type { Family } from "./rule";

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

export const unexplained: Family = {
  name: "unexplained",
  title: "What no other rule recognizes",
  intro: "Something says that it does not work. Its own words are quoted, with where to look next.",
  rules: [
    ...mountWaits,
    otherScheduling,
    {
      id: "probe-fails",
      stage: "pods",
      severity: "warning",
      symptom: "a Pod is Running and not Ready: Readiness probe failed",
      cause: "{name} runs and gets no requests, because its {probe} probe fails: {why}",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig logs {name} -n {podNamespace} --tail=30",
        "kubectl --kubeconfig workload.kubeconfig get pod {name} -n {podNamespace} -o jsonpath='{.spec.containers[*].readinessProbe}'   # port and path as the program has them; it must listen on all addresses, not on localhost",
        describePod,
      ],
      source:
        "https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/",
      generic: true,
      find: warned({
        kinds: ["Pod"],
        side: "workload",
        where: (pod, world) =>
          textAt(pod.status, "phase") === "Running" &&
          stays(pod) &&
          minutesBetween(conditionNamed(pod, "Ready")?.since ?? "", world.now) >= 15 &&
          isNotReady(pod),
        text: /^Unhealthy: (?<probe>Readiness|Startup) probe (?:failed|errored)[^:]*: (?<why>[^]*)/,
        times: 10,
      }),
    },
    {
      id: "pod-not-started",
      stage: "pods",
      symptom: "a Pod stays in ContainerCreating, CreateContainerError or RunContainerError",
      cause: "The node of {name} does not start it, for a reason that no rule recognizes: {says}",
      remedy: [
        describePod,
        "npm run access -- --stack {stack} --node {node}   # the command that collects the logs of the node",
      ],
      source: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",
      generic: true,
      find: withAnswer(
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
            container: ({ waiting, message }) =>
              /^(?:CreateContainerError|RunContainerError|StartError)$/.test(waiting)
                ? `${waiting}: ${message}`
                : undefined,
          }),
        ),
      ),
    },
    {
      id: "pod-waits",
      stage: "pods",
      symptom: "a container waits for more than 15 minutes, for a reason that no rule knows",
      cause:
        "The container {container} of {name} waits ({reason}), for a reason that no rule recognizes: {why}.",
      remedy: [
        describePod,
        "npm run access -- --stack {stack} --node {node}   # the command that collects the logs of the node",
      ],
      source: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",
      generic: true,
      find: (world) =>
        podWith({
          side: "workload",
          minutes: 15,
          text: /^(?<reason>\w+): (?<why>[^]+)/,
          container: ({ waiting, message }) =>
            waiting === "" || /^(?:ContainerCreating|PodInitializing|CrashLoopBackOff)$/.test(waiting)
              ? undefined
              : `${waiting}: ${message || "no message"}`,
        })(world),
    },
    ...unexplainedObjects,
    {
      id: "pod-not-begun",
      stage: "pods",
      symptom: "a Pod stays in ContainerCreating or PodInitializing, and no event says why",
      cause:
        "{name} has been {reason} on {node} for more than 40 minutes, and no event of the last hour says why.",
      remedy: [
        describePod,
        "npm run access -- --stack {stack} --node {node}   # the command that collects the logs of the node: kubelet, containerd",
      ],
      source: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",
      generic: true,
      last: true,
      find: podWith({
        side: "workload",
        minutes: 40,
        text: /^(?<reason>\w+)/,
        where: isForgotten,
        container: ({ waiting }) =>
          /^(?:ContainerCreating|PodInitializing)$/.test(waiting) ? waiting : undefined,
      }),
    },
  ],
};
