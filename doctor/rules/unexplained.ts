import { anyOf, isNotReady, olderThan, warned } from "./finders";
import { podWith } from "./podFinders";
import type { Family } from "./rule";

/** What stands after all rules that know more: nothing that does not work goes without a word. */

const describe = "kubectl --kubeconfig workload.kubeconfig describe pod {name} -n {podNamespace}";

export const unexplained: Family = {
  name: "unexplained",
  title: "Pods that wait for an unknown reason",
  intro: "No rule knows the words of the node; they are quoted.",
  rules: [
    {
      id: "pod-not-started",
      stage: "pods",
      symptom: "a Pod stays in ContainerCreating, CreateContainerError or RunContainerError",
      cause: "Its node does not start {name}, for a reason that no rule knows. Its own words are the proof.",
      proof:
        "Pod, state of its container, or event FailedCreatePodSandBox, FailedMount or FailedAttachVolume",
      remedy: [
        describe,
        "npm run access -- --stack {stack} --node {node}   # the command that collects the logs of the node",
      ],
      source: "https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/",
      generic: true,
      find: anyOf(
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
    },
  ],
};
