import { at, list, textAt } from "../../../tools/untyped";
import { minutesBetween, stays } from "../../cluster/objects";
import { machinesMissing, unscheduled } from "./unscheduled";
import { schedulerAnswers } from "./schedulerAnswers";
import { nodesOf } from "../../cluster/scope";
import type { Family, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

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
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig uncordon {name}",
        "kubectl delete machine {machine} -n {namespace}   # when it was cordoned because it is broken: replaces the node",
      ],
      source: "https://kubernetes.io/docs/concepts/architecture/nodes/#manual-node-administration",
      find: cordoned,
    },
  ],
};
