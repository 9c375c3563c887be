import { textAt } from "../../../tools/untyped";
import { conditionNamed } from "../../cluster/objects";
import { isNotReady, olderThan } from "./finders";
import { isRefusedByAutoscaler } from "./schedulerAnswers";
import { placement } from "./placement";
import { platforms } from "./platforms";
import { machinesMissing, unscheduled } from "./unscheduled";
import { crashLoops, imageMissing, podWith } from "./podFinders";
import { dnsWords } from "./addonWords";
import { servicesAtZero } from "./scaledToZero";
import { describePod } from "./commands";
import type { Family } from "./rule";

/** Pods of users and add-ons. */

export const pods: Family = {
  name: "pods",
  title: "Pods",
  intro: "The nodes are Ready; what shall run on them does not.",
  rules: [
    ...platforms,
    {
      id: "image-pull",
      stage: "pods",
      symptom: "ErrImagePull or ImagePullBackOff: not found",
      cause: "There is no image {image}.",
      remedy: [describePod],
      source: "https://kubernetes.io/docs/concepts/containers/images/",
      follows: ["registries"],
      find: imageMissing({
        side: "workload",
      }),
    },
    servicesAtZero,
    {
      id: "dns-loop",
      stage: "pods",
      symptom: "CoreDNS: plugin/loop: Loop detected",
      cause:
        "CoreDNS forwards names to itself: /etc/resolv.conf of its node names a resolver on the node, or an address of the cluster.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig edit configmap coredns -n kube-system   # forward . 168.63.129.16, Azure's resolver, or those of your network, in the place of /etc/resolv.conf",
        "kubectl --kubeconfig workload.kubeconfig rollout restart deployment/coredns -n kube-system",
      ],
      source: "https://coredns.io/plugins/loop#troubleshooting",
      find: podWith({
        side: "workload",
        where: ({ metadata }) => metadata.name.startsWith("coredns-"),
        container: ({ ready, ended, endMessage }) => (ready || ended === "" ? undefined : endMessage),
        text: /plugin\/loop: Loop/,
      }),
    },
    ...dnsWords,
    {
      id: "dns",
      stage: "pods",
      symptom: "CoreDNS does not run",
      cause: "No Pod of CoreDNS is ready, so no name resolves in the cluster: {name}.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get pods -n kube-system -l k8s-app=kube-dns -o wide",
        "kubectl --kubeconfig workload.kubeconfig logs -n kube-system -l k8s-app=kube-dns --tail=20",
      ],
      source: "https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/",
      follows: [
        ...["network", "node-network", "node-own-network", "registries"],
        ...["add-ons", "machines", "control-plane", "same object"],
      ],
      find: (world) => {
        const dns = world
          .all("Pod", "workload")
          .filter(({ metadata }) => metadata.name.startsWith("coredns-"));
        const down = dns.filter(isNotReady);
        const [object] = down;
        return object === undefined || down.length < dns.length || !olderThan(object, 20, world)
          ? []
          : [
              {
                object,
                side: "workload",
                proof: {
                  where: `Pods coredns of kube-system, condition Ready`,
                  text: conditionNamed(object, "Ready")?.message ?? textAt(object.status, "phase"),
                },
              },
            ];
      },
    },
    {
      id: "pod-resources",
      stage: "pods",
      symptom: "FailedScheduling: Insufficient cpu or memory",
      cause: "No node has as much room left as {name} asks for.",
      remedy: [
        "resources: {requests: {memory: LESS}}   # of the Pod, when it asks for more than it uses",
        "capz-windows:windowsPools: {POOL: {replicas: MORE}}",
        "kubectl --kubeconfig workload.kubeconfig describe nodes | grep -A6 'Allocated resources'",
      ],
      source: "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/",
      follows: machinesMissing,
      find: (world) =>
        unscheduled(/Insufficient (?:cpu|memory|pods|ephemeral-storage)|Too many pods/)(world).filter(
          ({ object }) => !isRefusedByAutoscaler(object, world),
        ),
    },
    ...placement,
    {
      id: "pod-selector",
      stage: "pods",
      symptom: "FailedScheduling: didn't match Pod's node affinity/selector, or untolerated taint",
      cause: "No node fits {name}: its nodeSelector names none that there is, or a taint keeps it away.",
      remedy: [
        "nodeSelector: {kubernetes.io/os: windows}   # Windows images; linux for others",
        "kubectl --kubeconfig workload.kubeconfig get nodes -L kubernetes.io/os -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints[*].key",
      ],
      source: "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/",
      follows: machinesMissing,
      find: unscheduled(/node affinity|node selector|untolerated taint|didn't match/),
    },
    {
      id: "pod-crashes",
      stage: "pods",
      severity: "warning",
      symptom: "CrashLoopBackOff",
      cause: "The container {container} of {name} ends each time it starts.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig logs {name} -n {podNamespace} -c {container} --previous --tail=30",
      ],
      source: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/",
      follows: ["*"],
      find: crashLoops({
        side: "workload",
        minutes: 10,
        restarts: 5,
      }),
    },
  ],
};
