import type { BlindFault } from "./blindFault";
import { windowsNode, application, sandboxFails } from "./eighthScenes";

export const eighthWindows: readonly BlindFault[] = [
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
];
