import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Several symptoms at once in the workload cluster: the first answer must be the cause of the others. */

const degraded = (p: Patient, name: string, message: string): Patient =>
  p
    .condition(p.get("TigeraStatus", name, "workload"), "Degraded", {
      status: "True",
      reason: "PodFailure",
      message,
    })
    .condition(p.get("TigeraStatus", name, "workload"), "Available", {
      reason: "ResourceNotReady",
      message,
    });

export const fifthCascades: readonly BlindFault[] = [
  {
    name: "the disk of a Windows node is full, and Pods and images fail for it",
    source: "kubelet: eviction and image garbage collection",
    make: (p) => {
      const image = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";
      const text = `failed to pull and unpack image "${image}": failed to extract layer sha256:bc06b22070cd: hcsshim::ImportLayer failed in Win32: There is not enough space on the disk. (0x70)`;
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p", {
        waiting: ["ErrImagePull", text],
        image,
      });
      pod.spec.nodeName = "win1000000";
      const evicted = p.add("workload", {
        kind: "Pod",
        metadata: { name: "api-5d4c7-9k2lm", namespace: "shop" },
        spec: { nodeName: "win1000000" },
        status: {
          phase: "Failed",
          reason: "Evicted",
          message:
            "The node was low on resource: ephemeral-storage. Threshold quantity: 20429199155, available: 12105444Ki. ",
        },
      });
      p.nodeCondition("win", "DiskPressure", {
        status: "True",
        reason: "KubeletHasDiskPressure",
        message: "kubelet has disk pressure",
        ago: 25,
      })
        .event(
          p.node("win"),
          "FreeDiskSpaceFailed",
          "Failed to garbage collect required amount of images. Attempted to free 14021869568 bytes, but only found 0 bytes eligible to free.",
          { side: "workload" },
        )
        .event(pod, "Failed", `Failed to pull image "${image}": ${text}`, { side: "workload" })
        .event(evicted, "Evicted", "The node was low on resource: ephemeral-storage.", { side: "workload" });
    },
    cause: /disk/i,
    remedy: /osDisk|disk|prune|image/i,
  },
  {
    name: "a new Windows node cannot resolve names, so no image comes",
    source: "field reports of ImagePullBackOff with no such host",
    make: (p) => {
      const text =
        'failed to pull and unpack image "mcr.microsoft.com/oss/calico/node-windows:v3.31.2": failed to resolve reference: failed to do request: Head "https://mcr.microsoft.com/v2/oss/calico/node-windows/manifests/v3.31.2": dial tcp: lookup mcr.microsoft.com: no such host';
      for (const [namespace, name] of [
        ["calico-system", "calico-node-windows-"],
        ["kube-system", "kube-proxy-windows-"],
      ] as const) {
        const found = p.get("Pod", name, "workload");
        const pod = p.pod("workload", namespace, found.metadata.name, {
          waiting: ["ImagePullBackOff", text],
        });
        p.event(pod, "Failed", `Failed to pull image: rpc error: code = Unknown desc = ${text}`, {
          side: "workload",
        });
      }
      const cni =
        "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";
      p.nodeCondition("win", "Ready", { reason: "KubeletNotReady", message: cni, ago: 25 });
      degraded(p, "calico-windows", "Pod calico-system/calico-node-windows-2 failed to pull container image");
      p.condition(p.get("Machine", "win1"), "NodeHealthy", {
        reason: "NodeNotHealthy",
        message: `* Node.Ready: ${cni}`,
      });
    },
    cause: /resolve|DNS|name/i,
    remedy: /dns|nslookup|Resolve-DnsName/i,
  },
  {
    name: "the cloud controller manager crashes, and new nodes keep their taint",
    source: "kubernetes-sigs/cloud-provider-azure",
    make: (p) => {
      const manager = p.get("Pod", "cloud-controller-manager", "workload");
      p.pod("workload", "kube-system", manager.metadata.name, {
        waiting: [
          "CrashLoopBackOff",
          "back-off 5m0s restarting failed container=cloud-controller-manager pod=cloud-controller-manager-abcde_kube-system",
        ],
        restarts: 14,
      });
      const node = p.node("win");
      node.spec.taints = [
        { key: "node.cloudprovider.kubernetes.io/uninitialized", value: "true", effect: "NoSchedule" },
      ];
      delete node.spec.providerID;
      const pod = p.add("workload", {
        kind: "Pod",
        metadata: { name: "web-6c9d8f7b5-x2x4p", namespace: "shop" },
        spec: { nodeSelector: { "kubernetes.io/os": "windows" } },
      });
      const text =
        "0/3 nodes are available: 1 node(s) had untolerated taint {node.cloudprovider.kubernetes.io/uninitialized: true}, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
      Object.assign(pod.status, { phase: "Pending" });
      p.condition(pod, "PodScheduled", { reason: "Unschedulable", message: text, ago: 20 }).event(
        pod,
        "FailedScheduling",
        text,
        { side: "workload" },
      );
    },
    cause: /cloud.controller.manager/i,
    remedy: /cloud-controller-manager/i,
  },
  {
    name: "Pod Security forbids the HostProcess Pods of Calico",
    source: "kubernetes.io, Pod Security Admission",
    make: (p) => {
      const set: Loose = p.add("workload", {
        kind: "DaemonSet",
        apiVersion: "apps/v1",
        metadata: { name: "calico-node-windows", namespace: "calico-system" },
      });
      const text =
        'Error creating: pods "calico-node-windows-x7k2p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), hostProcess (pod and containers "install-cni", "node" must not set securityContext.windowsOptions.hostProcess=true)';
      p.remove(
        "workload",
        ({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith("calico-node-windows"),
      );
      p.event(set, "FailedCreate", text, { side: "workload", count: 20 });
      p.nodeCondition("win", "Ready", {
        reason: "KubeletNotReady",
        message:
          "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
        ago: 25,
      });
      degraded(
        p,
        "calico-windows",
        "DaemonSet calico-system/calico-node-windows is not available (awaiting 1 nodes)",
      );
    },
    cause: /Pod ?Security/i,
    remedy: /pod-security|privileged/i,
  },
  {
    name: "a Windows node is silent and its health check may not replace it",
    source: "kubernetes-sigs/cluster-api, machinehealthcheck_controller.go",
    make: (p) => {
      for (const type of ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"]) {
        p.nodeCondition("win", type, {
          status: "Unknown",
          reason: "NodeStatusUnknown",
          message: "Kubelet stopped posting node status.",
          ago: 45,
        });
      }
      p.node("win").spec.taints = [
        { key: "node.kubernetes.io/unreachable", effect: "NoSchedule" },
        { key: "node.kubernetes.io/unreachable", effect: "NoExecute" },
      ];
      p.condition(p.get("Machine", "win1"), "NodeHealthy", {
        status: "Unknown",
        reason: "NodeHealthUnknown",
        message: "* Node.Ready: Kubelet stopped posting node status.",
        ago: 45,
      });
      const check = p.add("management", {
        kind: "MachineHealthCheck",
        apiVersion: "cluster.x-k8s.io/v1beta2",
        metadata: { name: "win1", namespace: "sick", labels: { "cluster.x-k8s.io/cluster-name": "sick" } },
        spec: { clusterName: "sick" },
        status: { expectedMachines: 2, currentHealthy: 1, remediationsAllowed: 0 },
      });
      const text =
        "Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: 2, unhealthy: 1, maxUnhealthy: 40%)";
      p.condition(check, "RemediationAllowed", { reason: "TooManyUnhealthy", message: text, ago: 40 }).event(
        check,
        "RemediationRestricted",
        text,
      );
    },
    cause: /kubelet|report|silent|answer/i,
    remedy: /access|restart|delete machine|replace/i,
  },
];
