import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** The part of the list of `ninthDayTwo` about nodes, their network and their number. */

type Json = Record<string, unknown>;
const metadata = (object: Loose): Json => object.metadata;

const lost = {
  status: "Unknown",
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting node status.",
} as const;

/** A Pod for Windows that no node takes. */
const pendingPod = (p: Patient, scheduler: string): Loose => {
  const pod = p.add("workload", {
    kind: "Pod",
    metadata: { name: "web-6f7d9c-n2v8d", namespace: "shop", creationTimestamp: p.ago(30) },
    spec: { nodeSelector: { "kubernetes.io/os": "windows" } },
    status: { phase: "Pending" },
  });
  p.condition(pod, "PodScheduled", { reason: "Unschedulable", message: scheduler, ago: 30 });
  p.event(pod, "FailedScheduling", scheduler, { side: "workload", count: 30 });
  return pod;
};

/** What the autoscaler says of a Pod; its event is not a warning. */
const notScaledUp = (p: Patient, pod: Loose, message: string): void => {
  p.event(pod, "NotTriggerScaleUp", message, { side: "workload", count: 30 });
  Object.assign(p.get("Event", `${pod.metadata.name}.NotTriggerScaleUp`), { type: "Normal" });
};

export const ninthDayTwoNodes: readonly BlindFault[] = [
  {
    name: "the autoscaler has reached the maximum of the pool",
    source: "kubernetes/autoscaler#5692",
    make: (p) => {
      const pool = p.get("MachinePool", "win1");
      Object.assign(metadata(pool).annotations as Json, {
        "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "1",
        "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "1",
      });
      const pod = pendingPod(
        p,
        "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
      );
      notScaledUp(
        p,
        pod,
        "pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector, 1 max node group size reached",
      );
    },
    cause: /max|largest|limit/i,
    remedy: /autoscale|max/i,
  },
  {
    name: "the autoscaler knows no pool whose nodes would take the Pod",
    source: "kubernetes/autoscaler#3503",
    make: (p) => {
      const pod = pendingPod(
        p,
        "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
      );
      Object.assign(pod.spec, {
        containers: [
          { name: "web", image: "registry.example/web:v1", resources: { requests: { memory: "48Gi" } } },
        ],
      });
      notScaledUp(
        p,
        pod,
        "pod didn't trigger scale-up (it wouldn't fit if a new node is added): 1 node(s) didn't match Pod's node affinity/selector, 1 Insufficient memory",
      );
    },
    cause: /memory|48Gi|too (large|big)/i,
    remedy: /vmSize|requests|memory/i,
  },

  {
    name: "a node remains after its machine is gone",
    source:
      "kubernetes, cloud node lifecycle controller; the machine was deleted while it did not run; state only",
    make: (p) => {
      const node = p.add("workload", {
        ...structuredClone(p.node("win1")),
        metadata: {
          ...structuredClone(metadata(p.node("win1"))),
          ...{ name: "win1000007", uid: "win1000007", creationTimestamp: p.ago(50000) },
        },
      });
      const id = String(p.node("win1000000").spec.providerID);
      node.spec.providerID = id.replace(/0$/, "7");
      (metadata(node).annotations as Json)["cluster.x-k8s.io/machine"] = "win1-7";
      p.condition(node, "Ready", { ...lost, ago: 4000 });
    },
    cause:
      /(no|without|not.*) (a )?machine|machine.*(gone|deleted|not exist|no longer)|left ?over|orphan|stale/i,
    remedy: /delete node/i,
  },
];
