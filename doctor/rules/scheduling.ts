import { at, list, textAt } from "../../domain/untyped";
import { minutesBetween, stays } from "../model/objects";
import { machinesMissing, unscheduled } from "./unscheduled";
import { schedulerAnswers } from "./schedulerAnswers";
import { nodesOf } from "./scope";
import { describePod } from "./commands";
import type { Family, Match } from "./rule";
import type { World } from "../model/snapshot";

/** Pods that are not scheduled although there are nodes. */

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

const notCordoned = "kubectl --kubeconfig workload.kubeconfig uncordon NODE";

export const scheduling: Family = {
  name: "scheduling",
  title: "Pods without a node",
  intro: "The nodes are Ready, and a Pod stays Pending.",
  rules: [
    ...schedulerAnswers,
    {
      id: "pod-cordoned",
      stage: "pods",
      symptom: "FailedScheduling: node(s) were unschedulable",
      cause:
        "The nodes on which {name} could run are cordoned: {nodes}. Somebody, or a drain that was interrupted, has left them so.",
      proof: "Pod, condition PodScheduled; Node, spec.unschedulable",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get nodes   # SchedulingDisabled",
        notCordoned,
        "kubectl get machines,azuremachinepoolmachines -n {namespace}   # Deleting: then another node is on its way, and this one stays cordoned",
      ],
      source: "https://kubernetes.io/docs/concepts/architecture/nodes/#manual-node-administration",
      follows: machinesMissing,
      find: (world) => {
        const nodes = nodesOf(world)
          .filter(({ spec }) => at(spec, "unschedulable") === true)
          .map(({ metadata }) => metadata.name);
        return nodes.length === 0
          ? []
          : unscheduled(/were unschedulable/)(world).map((match) => ({
              ...match,
              vars: { ...match.vars, nodes: nodes.join(", ") },
            }));
      },
    },
    {
      id: "node-cordoned",
      stage: "nodes",
      severity: "warning",
      symptom: "a node is SchedulingDisabled since more than a day",
      cause: "The node {name} is cordoned since more than a day: it costs money and takes no new Pods.",
      proof: "Node, spec.unschedulable and the time of its taint",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig uncordon {name}",
        "kubectl delete machine MACHINE -n {namespace}   # when it was cordoned because it is broken: replaces the node",
      ],
      source: "https://kubernetes.io/docs/concepts/architecture/nodes/#manual-node-administration",
      find: cordoned,
    },
    {
      id: "pod-host-port",
      stage: "pods",
      symptom: "FailedScheduling: didn't have free ports for the requested pod ports",
      cause:
        "Every node that fits {name} has its hostPort in use already, so there is room for one such Pod on each node.",
      proof: "Pod, condition PodScheduled",
      remedy: [
        "Use a Service in the place of hostPort, or a DaemonSet in the place of a Deployment.",
        "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}   # of a Deployment with as many replicas as there are nodes",
      ],
      source: "https://kubernetes.io/docs/concepts/configuration/overview/",
      follows: machinesMissing,
      find: unscheduled(/didn't have free ports/),
    },
    {
      id: "pod-spread",
      stage: "pods",
      symptom: "FailedScheduling: didn't match pod anti-affinity rules, pod topology spread constraints",
      cause:
        "{name} wants a node or a zone without others of its kind (podAntiAffinity, topologySpreadConstraints), and there are not that many.",
      proof: "Pod, condition PodScheduled",
      remedy: [
        "capz-windows:windowsPools: {POOL: {replicas: MORE}}",
        "whenUnsatisfiable: ScheduleAnyway   # or preferredDuringSchedulingIgnoredDuringExecution: as far as it goes",
        describePod,
      ],
      source: "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/",
      follows: machinesMissing,
      find: unscheduled(/anti-affinity|topology spread constraints/),
    },
    {
      id: "claim-missing",
      stage: "pods",
      symptom: 'FailedScheduling: persistentvolumeclaim "..." not found',
      cause: "There is no PersistentVolumeClaim {claim} in {podNamespace}, which {name} mounts.",
      proof: "Pod, condition PodScheduled",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get persistentvolumeclaims -n {podNamespace}",
        describePod,
      ],
      source: "https://kubernetes.io/docs/concepts/storage/persistent-volumes/",
      find: unscheduled(/persistentvolumeclaim "(?<claim>[^"]+)" not found/),
    },
  ],
};
