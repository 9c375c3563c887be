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

/** A Pod on the Windows node whose sandbox gets no network. */
const withoutSandbox = (p: Patient, message: string): void => {
  const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p", { waiting: ["ContainerCreating", ""] });
  pod.spec.nodeName = "win1000000";
  p.event(
    pod,
    "FailedCreatePodSandBox",
    `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "ddcbd3e324e1ec8e2724bfc98660a2d5": ${message}`,
    { side: "workload", count: 60 },
  );
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
    name: "Azure has evicted a spot machine and left it deallocated",
    source:
      "learn.microsoft.com, eviction policy Deallocate; cloud-provider-azure: taint shutdown; state only",
    make: (p) => {
      (p.get("AzureMachinePool", "win1").spec.template as Json).spotVMOptions = {
        evictionPolicy: "Deallocate",
      };
      p.nodeCondition("win1", "Ready", { ...lost, ago: 30 });
      p.node("win1").spec.taints = [
        { key: "node.cloudprovider.kubernetes.io/shutdown", effect: "NoSchedule" },
        { key: "node.kubernetes.io/unreachable", effect: "NoSchedule", timeAdded: p.ago(30) },
        { key: "node.kubernetes.io/unreachable", effect: "NoExecute", timeAdded: p.ago(30) },
      ];
    },
    cause: /spot|evict|deallocat|shut ?down|stopped in Azure|does not run|switched off/i,
    remedy: /az vmss (start|list|get)|delete machine|evictionPolicy|spot/i,
  },
  {
    name: "a node is cordoned since a maintenance four days ago",
    source: "kubernetes.io, kubectl cordon; state only",
    make: (p) => {
      const { spec } = p.node("win1");
      spec.unschedulable = true;
      spec.taints = [
        { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule", timeAdded: p.ago(4 * 24 * 60) },
      ];
    },
    cause: /cordon|unschedulable|takes no/i,
    remedy: /uncordon/i,
  },
  {
    name: "all workers are lost in the same minute",
    source: "learn.microsoft.com, network security groups: a new rule cuts the nodes off; state only",
    make: (p) =>
      p
        .nodeCondition("linux1", "Ready", { ...lost, ago: 22 })
        .nodeCondition("win1", "Ready", { ...lost, ago: 22 }),
    cause:
      /security (group|rule)|NSG|route table|common cause|same (time|moment|minute)|at once|all (the )?(nodes|workers)/i,
    remedy: /nsg|route|network|curl|Test-NetConnection|nc -/i,
  },
  {
    name: "the DNS server of the network does not answer any more",
    source: "kubernetes, ErrImagePull; Go net: lookup i/o timeout",
    make: (p) => {
      const image = "mcr.microsoft.com/dotnet/framework/aspnet:4.8";
      const text = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": failed to do request: Head "https://mcr.microsoft.com/v2/dotnet/framework/aspnet/manifests/4.8": dial tcp: lookup mcr.microsoft.com on 10.1.0.4:53: read udp 10.10.128.7:51423->10.1.0.4:53: i/o timeout`;
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p", {
        ...{
          waiting: ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${text}`],
          image,
        },
      });
      pod.spec.nodeName = "win1000000";
      p.event(pod, "Failed", `Failed to pull image "${image}": ${text}`, { side: "workload", count: 20 });
    },
    cause: /DNS|10\.1\.0\.4/,
    remedy: /dns|nslookup|resolve/i,
  },
  {
    name: "the disk of a Windows node is full",
    source: "kubernetes, kubelet: KubeletHasDiskPressure and ImageGCFailed",
    make: (p) => {
      p.nodeCondition("win1", "DiskPressure", {
        ...{
          status: "True",
          reason: "KubeletHasDiskPressure",
          message: "kubelet has disk pressure",
          ago: 50,
        },
      }).event(
        p.node("win1"),
        "FreeDiskSpaceFailed",
        "Failed to garbage collect required amount of images. Attempted to free 14783028633 bytes, but only found 0 bytes eligible to free.",
        { side: "workload", count: 11 },
      );
      p.node("win1").spec.taints = [{ key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" }];
    },
    cause: /disk.*(full|space|pressure)|(space|full).*disk/i,
    remedy: /disk|prune|crictl rmi|volume/i,
  },
  {
    name: "containerd of a Windows node has stopped",
    source: "kubernetes, pkg/kubelet/runtime.go: container runtime is down; containerd/containerd#9437",
    make: (p) =>
      p.nodeCondition("win1", "Ready", {
        reason: "KubeletNotReady",
        message:
          "[container runtime is down, PLEG is not healthy: pleg was last seen active 14m31.2s ago; threshold is 3m0s]",
        ago: 14,
      }),
    cause: /containerd|container runtime/i,
    remedy: /containerd/i,
  },
  {
    name: "a Windows node restarts by itself every night",
    source: "kubernetes, kubelet event Rebooted; Windows Update",
    make: (p) => {
      p.event(p.node("win1"), "Rebooted", "Node win1000000 has been rebooted, boot id: 31", {
        side: "workload",
        count: 6,
        ago: 12,
      });
    },
    cause: /reboot|restart/i,
    remedy: /update|event|Get-WinEvent|access|wuauserv|patch/i,
  },
  {
    name: "Calico gives a node no more addresses",
    source: "projectcalico/calico#4861",
    make: (p) => {
      withoutSandbox(
        p,
        'plugin type="calico" failed (add): cannot allocate new block due to per host block limit',
      );
    },
    cause: /block|address/i,
    remedy: /ipam|block|ippool/i,
  },
  {
    name: "the HNS network of a Windows node is gone",
    source: "Microsoft/hcsshim, HCN_E_NETWORK_NOT_FOUND; projectcalico/calico#13049",
    make: (p) => {
      withoutSandbox(
        p,
        'plugin type="calico" name="Calico" failed (add): failed to create the new HostComputeEndpoint: hcnCreateEndpoint failed in Win32: The network was not found. (0x803b0001) {"Success":false,"Error":"The network was not found. ","ErrorCode":2151350273}',
      );
    },
    cause: /HNS|(Calico|virtual|host) network|network .*(gone|missing|not)/i,
    remedy: /calico-node-windows|Restart-Service|hns|delete machine|rollout restart|restart/i,
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
