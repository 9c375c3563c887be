import { textAt } from "../../../tools/untyped";
import { conditionNamed, minutesBetween, stays } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { eventProof, hasCondition, keptMinutes, warned } from "./finders";
import { lostTogether } from "./lostNodes";
import { nodesOf, taintsOf } from "../../cluster/scope";
import type { Match, Rule } from "./rule";

/** Machines that stop, or start again by themselves. */

/** Nodes that kubelet has found restarted several times; once is what an operator or Azure's maintenance does. */
const rebootsOften = (world: World): Match[] =>
  nodesOf(world).flatMap((object) => {
    const reboots = world
      .eventsOf(object, "workload")
      .filter(({ reason, last }) => reason === "Rebooted" && minutesBetween(last, world.now) <= keptMinutes)
      .sort((a, b) => b.last.localeCompare(a.last));
    const times = reboots.reduce((sum, { count }) => sum + count, 0);
    const [last] = reboots;
    return last === undefined || times < 2
      ? []
      : [{ object, proof: eventProof(object, last), vars: { times: String(times) } }];
  });

/** Nodes whose machine is off, according to the cloud provider. */
const shutDown = (world: World): Match[] =>
  nodesOf(world)
    .filter(
      (node) =>
        conditionNamed(node, "Ready")?.status !== "True" &&
        taintsOf(node).includes("node.cloudprovider.kubernetes.io/shutdown"),
    )
    .map((object) => ({
      object,
      proof: { where: `Node ${object.metadata.name}, spec.taints`, text: taintsOf(object).join(", ") },
    }));

/**
 * Nodes that do not answer, unless all of several pools do not: then it is not their machine. Nor those of machines that
 * are being deleted, such as spot machines that Azure has taken back: their deletion has rules of its own.
 */
const stopped = (world: World): Match[] => {
  const leaving = world.all("Machine").filter((machine) => !stays(machine));
  const known = new Set([
    ...lostTogether(world).map(({ metadata }) => metadata.name),
    ...leaving.map(({ status }) => textAt(status, "nodeRef", "name")),
  ]);
  return hasCondition({
    kinds: ["Node"],
    side: "workload",
    type: "Ready",
    status: ["Unknown"],
    message: /stopped posting/,
    minutes: 2,
    where: ({ metadata }) => !known.has(metadata.name),
  })(world);
};

export const nodeStopRules: readonly Rule[] = [
  {
    id: "node-shut-down",
    stage: "nodes",
    symptom: "NotReady, with the taint node.cloudprovider.kubernetes.io/shutdown",
    cause:
      "The machine of {name} is switched off in Azure: somebody, a schedule, or Azure, which takes spot machines back, has stopped or deallocated it. Cluster API starts no machine again.",
    remedy: [
      "az monitor activity-log list --resource-group {group} --offset 3d --query \"[?contains(operationName.value, 'deallocate') || contains(operationName.value, 'powerOff')].{who:caller, what:operationName.value, when:eventTimestamp}\" -o table",
      "az vmss start --resource-group {group} --name {pool}",
      "az vm start --resource-group {group} --name {vm}",
      "az resource list --resource-type Microsoft.DevTestLab/schedules -o table   # auto-shutdown of the subscription",
    ],
    source: "kubernetes, cloud-provider, node lifecycle controller",
    follows: ["machine-gone", "instance-failed"],
    find: shutDown,
  },
  {
    id: "node-stopped",
    stage: "nodes",
    symptom: "NodeStatusUnknown: Kubelet stopped posting node status",
    cause:
      "The node {name} does not answer any more: its machine is off, kubelet does not run, or its network is gone.",
    remedy: [
      "npm run access -- --stack {stack} --node {name}   # log in, or collect its logs",
      "az vmss get-instance-view --resource-group {group} --name {pool} --instance-id '*' --query \"[].statuses[].displayStatus\"",
      'az vm get-instance-view --resource-group {group} --name {vm} --query "instanceView.statuses[].displayStatus"',
      "kubectl delete machine {machine} -n {namespace}   # when it does not come back: another one takes its place, and its disks and Pods are free for other nodes",
    ],
    source: "https://kubernetes.io/docs/concepts/architecture/nodes/; kubernetes #80381",
    follows: ["machine-gone", "instance-failed", "node-shut-down", "scale-set-deleted"],
    find: stopped,
  },
  {
    id: "node-reboots",
    stage: "nodes",
    severity: "warning",
    symptom: "Rebooted: Node ... has been rebooted, more than once within an hour",
    cause:
      "{name} has restarted {times} times within an hour: Windows installs updates by itself, its kernel crashes, a program or script restarts it, or Azure moves the machine. Pods on it lose their network each time until Calico runs again.",
    remedy: [
      "npm run access -- --stack {stack} --node {name}   # log in; Windows: Get-WinEvent -FilterHashtable @{LogName='System'; Id=1074,41,1001,6008} -MaxEvents 10 | Format-List TimeCreated, Message; Linux: last -x reboot shutdown",
      "npm run images -- --stack {stack}   # updates come with a newer image; on the node: Get-Service wuauserv, Get-ScheduledTask -TaskPath \\Microsoft\\Windows\\UpdateOrchestrator\\",
      "az monitor activity-log list --resource-group {group} --offset 2h --query \"[?contains(operationName.value,'restart') || contains(category.value,'ResourceHealth')].{time:eventTimestamp, what:operationName.value, who:caller}\" -o table",
    ],
    source:
      "kubelet, event Rebooted; https://learn.microsoft.com/troubleshoot/windows-server/performance/unexpected-reboot-system-event-logs",
    find: rebootsOften,
  },
  {
    id: "node-csi",
    stage: "nodes",
    symptom: "Node NotReady: CSINode is not yet initialized",
    cause:
      "kubelet on {name} cannot write its CSINode object: the API server refuses it or does not answer kubelet, often because the node is registered under another name than its certificate has.",
    remedy: [
      "kubectl --kubeconfig workload.kubeconfig get csinode {name} -o yaml",
      "npm run access -- --stack {stack} --node {name}   # log in; restart kubelet and read its log: C:\\var\\log\\kubelet, or journalctl -u kubelet",
      "kubectl delete machine {machine} -n {namespace}   # replaces the node",
    ],
    source: "kubernetes, pkg/volume/csi/csi_plugin.go and kubelet's node status",
    find: hasCondition({
      kinds: ["Node"],
      side: "workload",
      type: "Ready",
      message: /CSINode is not yet initialized|failed to initialize CSINode|error updating CSINode/,
      minutes: 5,
    }),
  },
  {
    id: "pod-does-not-end",
    stage: "nodes",
    symptom: "a Pod stays in Terminating: FailedKillPod",
    cause:
      "{node} cannot end the containers of {name}: containerd or, on Windows, the host compute service (HCS) does not stop them. What waits for the Pod, such as a StatefulSet, a disk or the drain of the machine, waits too.",
    remedy: [
      "npm run access -- --stack {stack} --node {node}   # log in; Windows: Restart-Service containerd, kubelet; Linux: sudo systemctl restart containerd",
      "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace} --force --grace-period=0   # its containers may still run: replace the node afterwards",
      "kubectl delete machine {machine} -n {namespace}   # replaces the node",
    ],
    source: "microsoft/Windows-Containers #430; kubelet, FailedKillPod",
    find: warned({
      kinds: ["Pod"],
      side: "workload",
      where: ({ metadata }, world) => minutesBetween(metadata.deletionTimestamp ?? "", world.now) >= 15,
      text: /^FailedKillPod: /,
      times: 5,
    }),
  },
];
