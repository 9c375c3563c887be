import type { BlindFault } from "./blindFault";
import { windowsNode, application, sandboxFails } from "./eighthScenes";

export const eighthWindows: readonly BlindFault[] = [
  {
    name: "the disk of a Windows node is full",
    source: "rancher/rke2#3090, llmos-ai/llmos#21",
    make: (p) => {
      const node = p.node(windowsNode);
      node.spec.taints = [{ key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" }];
      p.nodeCondition(windowsNode, "DiskPressure", {
        status: "True",
        reason: "KubeletHasDiskPressure",
        message: "kubelet has disk pressure",
        ago: 25,
      })
        .event(node, "EvictionThresholdMet", "Attempting to reclaim ephemeral-storage", {
          side: "workload",
          count: 300,
        })
        .event(
          node,
          "FreeDiskSpaceFailed",
          "Failed to garbage collect required amount of images. Attempted to free 17275608268 bytes, but only found 0 bytes eligible to free.",
          { side: "workload", count: 5 },
        );
      for (const name of ["web-6c559f5868-aaaaa", "web-6c559f5868-bbbbb"]) {
        const pod = application(p, name);
        pod.status = {
          phase: "Failed",
          reason: "Evicted",
          message:
            "The node was low on resource: ephemeral-storage. Threshold quantity: 12739452Ki, available: 8123456Ki.",
        };
      }
      const next = p.pod("workload", "shop", "web-6c559f5868-ccccc", {}, 20);
      const message =
        "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }, 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
      next.status = { phase: "Pending" };
      p.condition(next, "PodScheduled", { reason: "Unschedulable", message, ago: 20 }).event(
        next,
        "FailedScheduling",
        message,
        { side: "workload" },
      );
    },
    cause: /disk/i,
    remedy: /diskSize|osDisk|larger disk|images|prune/i,
  },
  {
    name: "the token that Calico's CNI plugin uses on a Windows node is no longer valid",
    source: "projectcalico/calico#9215, #8379, #5712",
    make: (p) => {
      const pods = ["web-6c559f5868-aaaaa", "api-7d4b9c6f5-bbbbb"].map((name) => application(p, name));
      sandboxFails(
        p,
        pods,
        'plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized',
      );
    },
    cause: /token|credential|kubeconfig/i,
    remedy: /calico-node/i,
  },
  {
    name: "HNS does not run on a Windows node",
    source: "kubernetes/kubernetes#80288 and the error 0x6d9 of RPC in hcsshim",
    make: (p) => {
      const proxy = p
        .all("Pod", "workload")
        .find(({ metadata }) => metadata.name.startsWith("kube-proxy-windows"));
      p.pod("workload", "kube-system", proxy?.metadata.name ?? "", {
        waiting: [
          "CrashLoopBackOff",
          "back-off 5m0s restarting failed container=kube-proxy pod=kube-proxy-windows-2_kube-system",
        ],
        ended: ["Error", ""],
        restarts: 9,
      });
      sandboxFails(
        p,
        [application(p, "web-6c559f5868-aaaaa"), application(p, "api-7d4b9c6f5-bbbbb")],
        'plugin type="calico" failed (add): hnsCall failed in Win32: There are no more endpoints available from the endpoint mapper. (0x6d9)',
      );
    },
    cause: /HNS|Host Network/i,
    remedy: /hns|reboot|restart/i,
  },
  {
    name: "containerd does not answer on a Windows node",
    source: "kubelet, runtime.go: container runtime is down; kubernetes/kubernetes issues on PLEG",
    make: (p) => {
      p.node(windowsNode).spec.taints = [
        { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" },
        { key: "node.kubernetes.io/not-ready", effect: "NoExecute" },
      ];
      p.nodeCondition(windowsNode, "Ready", {
        reason: "KubeletNotReady",
        message:
          "[container runtime is down, PLEG is not healthy: pleg was last seen active 12m3.2184617s ago; threshold is 3m0s]",
        ago: 12,
      })
        .condition(p.get("Machine", "win1"), "NodeHealthy", {
          reason: "NodeNotHealthy",
          message: "* Node.Ready: container runtime is down, PLEG is not healthy",
          ago: 12,
        })
        .condition(p.get("AzureMachinePoolMachine", "win1"), "NodeHealthy", {
          reason: "NodeConditionsFailed",
          severity: "Warning",
          ago: 12,
        });
      const daemons = p.all("Pod", "workload").filter(({ spec }) => spec.nodeName === windowsNode);
      for (const pod of daemons) {
        p.condition(pod, "Ready", { reason: "NodeNotReady", ago: 12 });
      }
    },
    cause: /containerd|container runtime/i,
    remedy: /containerd/i,
  },
  {
    name: "the image of kube-proxy for Windows does not exist in this version",
    source: "kubernetes-sigs/sig-windows-tools, images of kube-proxy; containerd's message",
    make: (p) => {
      const image = "docker.io/sigwindowstools/kube-proxy:v1.35.6-calico-hostprocess";
      const text = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
      const proxy = p
        .all("Pod", "workload")
        .find(({ metadata }) => metadata.name.startsWith("kube-proxy-windows"));
      const pod = p.pod("workload", "kube-system", proxy?.metadata.name ?? "", {
        waiting: ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${text}`],
        image,
      });
      p.event(pod, "Failed", `Failed to pull image "${image}": rpc error: code = NotFound desc = ${text}`, {
        side: "workload",
      });
    },
    cause: /kube-proxy.*(tag|exist|not found|no image|missing)|(tag|exist|not found|no image).*kube-proxy/i,
    remedy: /image|tag|version/i,
  },
];
