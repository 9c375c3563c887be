import type { Patient } from "../patient";
import { type Calm, iis } from "./calmState";
import { cordon, creating, realEvent, realPod } from "./objects";

/** Healthy clusters in motion: nodes and Pods come and go. */

const notInitialized =
  "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";

const deleted = (p: Patient, ago: number) => ({
  deletionTimestamp: p.ago(ago),
  deletionGracePeriodSeconds: 30,
});

export const inMotion: readonly Calm[] = [
  {
    name: "fresh: a Windows node has just joined, and its Pods begin",
    make: (p) => {
      const pod = realPod(p, {
        ...{ namespace: "calico-system", name: "calico-node-windows-zzzzz", node: "win1", age: 4 },
        ...{ owner: ["DaemonSet", "calico-node-windows"], phase: "Pending", state: creating },
      });
      realEvent(
        p,
        pod,
        "FailedMount",
        'MountVolume.SetUp failed for volume "kube-api-access-x" : failed to sync configmap cache: timed out waiting for the condition',
        { count: 1, ago: 4 },
      );
      const user = realPod(p, {
        ...{ namespace: "shop", name: "web-7d-aaaaa", node: "win1", age: 4, image: iis },
        ...{ phase: "Pending", state: creating },
      });
      realEvent(
        p,
        user,
        "FailedCreatePodSandBox",
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "26": plugin type="calico" name="Calico" failed (add): error getting ClusterInformation: Get "https://10.96.0.1:443/apis/crd.projectcalico.org/v1/clusterinformations/default": dial tcp 10.96.0.1:443: connectex: A connection attempt failed because the connected party did not properly respond after a period of time.',
        { count: 2, ago: 3 },
      );
      realPod(p, {
        namespace: "kube-system",
        name: "coredns-5d78c9869d-bbbbb",
        age: 3,
        phase: "Pending",
        unscheduled: notInitialized,
      });
    },
  },
  {
    name: "Windows Pods that pull their image for ten minutes",
    make: (p) => {
      for (const name of ["web-7d-aaaaa", "web-7d-bbbbb"]) {
        realPod(p, {
          ...{ namespace: "shop", name, node: "win1", age: 11, image: iis },
          ...{ phase: "Pending", state: creating },
        });
      }
    },
  },
  {
    name: "the autoscaler adds a Windows node: Pods wait for nine minutes",
    make: (p) => {
      const pool = p.get("MachinePool", "win1");
      pool.spec.replicas = 2;
      pool.status.replicas = 2;
      Object.assign(pool.metadata, {
        annotations: { "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "5" },
      });
      p.add("management", {
        kind: "AzureMachinePoolMachine",
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
        metadata: {
          ...{ name: "win1-1", namespace: pool.metadata.namespace, creationTimestamp: p.ago(7) },
          labels: { "cluster.x-k8s.io/cluster-name": "sick", "cluster.x-k8s.io/pool-name": "win1" },
          ownerReferences: [{ kind: "AzureMachinePool", name: "win1", uid: "x" }],
        },
        spec: { instanceID: "1" },
        status: { provisioningState: "Creating", ready: false },
      });
      for (const name of ["batch-5f-aaaaa", "batch-5f-bbbbb"]) {
        const message =
          "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.";
        const pod = realPod(p, { namespace: "shop", name, age: 9, phase: "Pending", unscheduled: message });
        realEvent(p, pod, "FailedScheduling", message, { count: 3, ago: 3, by: "default-scheduler" });
      }
    },
  },
  {
    name: "a spot machine was taken a minute ago, and its Pods start elsewhere",
    make: (p) => {
      const pool = p.get("MachinePool", "linux1");
      pool.spec.replicas = 2;
      realPod(p, {
        ...{ namespace: "shop", name: "worker-8c-aaaaa", node: "linux1", age: 900, phase: "Failed" },
        status: {
          ...{ phase: "Failed", reason: "Terminated" },
          message: "Pod was terminated in response to imminent node shutdown.",
        },
      });
      realPod(p, {
        namespace: "shop",
        name: "worker-8c-bbbbb",
        age: 1,
        phase: "Pending",
        unscheduled: notInitialized,
      });
      realPod(p, {
        namespace: "shop",
        name: "worker-8c-ccccc",
        node: "linux1",
        age: 1,
        phase: "Pending",
        state: creating,
      });
    },
  },
  {
    name: "a spot machine was taken, and is being deleted: its node does not answer",
    make: (p) => {
      const machine = p.get("Machine", "win1");
      Object.assign(machine.metadata, {
        deletionTimestamp: p.ago(1),
        finalizers: ["machine.cluster.x-k8s.io"],
      });
      for (const type of ["Ready", "MemoryPressure"]) {
        p.nodeCondition("win1", type, {
          ...{ status: "Unknown", reason: "NodeStatusUnknown", ago: 2 },
          message: "Kubelet stopped posting node status.",
        });
      }
    },
  },
  {
    name: "a drain waits for its budget, because the Pod that it moved last is starting",
    make: (p) => {
      cordon(p, "win1", 12);
      const machine = p.get("Machine", "win1");
      Object.assign(machine.metadata, {
        deletionTimestamp: p.ago(12),
        finalizers: ["machine.cluster.x-k8s.io"],
      });
      p.condition(machine, "Deleting", {
        status: "True",
        reason: "DrainingNode",
        message: `Drain not completed yet (started at ${p.ago(12)}):\n* Pod shop/db-2: cannot evict pod as it would violate the pod's disruption budget. The disruption budget db needs 2 healthy pods and has 2 currently`,
        ago: 12,
      });
      const owner = ["StatefulSet", "db"] as const;
      realPod(p, { namespace: "shop", name: "db-2", node: "win1", owner });
      realPod(p, {
        ...{ namespace: "shop", name: "db-1", node: "linux1", owner, age: 9 },
        ...{ phase: "Pending", state: creating },
      });
    },
  },
  {
    name: "a node of one minute has no CNI yet, and kubelet says so of each Pod",
    make: (p) => {
      const message =
        "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";
      Object.assign(p.node("win1").metadata, { creationTimestamp: p.ago(1.2) });
      p.nodeCondition("win1", "Ready", { reason: "KubeletNotReady", message, ago: 1.2 });
      const pod = realPod(p, {
        ...{ namespace: "kube-system", name: "csi-azuredisk-node-win-zzzzz", node: "win1", age: 1 },
        ...{ owner: ["DaemonSet", "csi-azuredisk-node-win"], phase: "Pending", state: creating },
      });
      realEvent(p, pod, "NetworkNotReady", `network is not ready: ${message}`, { count: 8 });
    },
  },
  {
    name: "a node is drained, and its Pods move",
    make: (p) => {
      cordon(p, "win1", 3);
      const machine = p.all("Machine").find(({ metadata }) => metadata.name.startsWith("win1"))!;
      Object.assign(machine.metadata, {
        deletionTimestamp: p.ago(3),
        finalizers: ["machine.cluster.x-k8s.io"],
      });
      p.condition(machine, "Deleting", {
        status: "True",
        reason: "DrainingNode",
        message: `Drain not completed yet (started at ${p.ago(3)}):\n* Pod shop/web-win1-6f7d9c-x2x7q: deletionTimestamp set, but still not removed from the Node`,
        ago: 3,
      });
      realPod(p, { ...{ namespace: "shop", name: "web-6f-going", node: "win1" }, metadata: deleted(p, 1) });
      realPod(p, {
        namespace: "shop",
        name: "web-6f-coming",
        age: 2,
        phase: "Pending",
        unscheduled:
          "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector.",
      });
      const moved = realPod(p, {
        ...{ namespace: "shop", name: "db-1", node: "linux1", age: 2 },
        ...{ owner: ["StatefulSet", "db"], phase: "Pending", state: creating },
      });
      realEvent(
        p,
        moved,
        "FailedAttachVolume",
        'Multi-Attach error for volume "pvc-2" Volume is already used by pod(s) db-1',
        { count: 1, ago: 2, by: "attachdetach-controller" },
      );
      const leaving = realPod(p, {
        ...{ namespace: "shop", name: "web-6f-probe", node: "win1" },
        metadata: deleted(p, 1),
      });
      realEvent(
        p,
        leaving,
        "Unhealthy",
        'Readiness probe failed: Get "http://192.168.103.7:80/": dial tcp 192.168.103.7:80: connectex: No connection could be made because the target machine actively refused it.',
        { count: 6 },
      );
    },
  },
];
