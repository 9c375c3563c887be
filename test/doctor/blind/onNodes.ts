import type { BlindFault } from "./blindFault";
import { crashLoop, daemon } from "./pods";

/** Faults of nodes and add-ons. */

export const onNodes: readonly BlindFault[] = [
  {
    name: "cloud-controller-manager has no role, so the nodes stay uninitialized",
    source: "cloud-provider-azure; troubleshooting of CAPZ",
    make: (p) => {
      const text =
        "failed to get instance metadata: GET https://management.azure.com/subscriptions/x/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets RESPONSE 403: 403 Forbidden ERROR CODE: AuthorizationFailed The client 'x' with object id 'x' does not have authorization to perform action 'Microsoft.Compute/virtualMachineScaleSets/read' over scope '/subscriptions/x/resourceGroups/sick'";
      p.pod(
        "workload",
        "kube-system",
        "cloud-controller-manager-abcde",
        crashLoop("cloud-controller-manager", text, 12),
      );
      for (const node of p.all("Node", "workload")) {
        node.spec = {
          ...node.spec,
          providerID: undefined,
          taints: [
            { key: "node.cloudprovider.kubernetes.io/uninitialized", value: "true", effect: "NoSchedule" },
          ],
        };
      }
    },
    cause: /cloud.controller|role|author/i,
    remedy: /role/i,
  },
  {
    name: "the operator cannot render Calico for Windows: the API server's address is missing",
    source: "projectcalico/calico#9536",
    make: (p) => {
      p.nodeCondition("win1", "Ready", {
        reason: "KubeletNotReady",
        message:
          "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized",
        ago: 40,
      });
      p.remove("workload", ({ metadata }) => metadata.name.startsWith("calico-node-windows"));
      p.condition(p.get("TigeraStatus", "calico-windows", "workload"), "Degraded", {
        status: "True",
        reason: "ResourceReadError",
        message:
          "Services endpoint configmap 'kubernetes-services-endpoint' does not have all required information for Calico Windows daemonset configuration",
        ago: 40,
      });
    },
    cause: /kubernetes-services-endpoint|address of the API server|API server/i,
    remedy: /kubernetes-services-endpoint|configmap/i,
  },
  {
    name: "the kubelet of a Windows node is silent",
    source: "Kubernetes, node lifecycle controller",
    make: (p) => {
      for (const type of ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"]) {
        p.nodeCondition("win1", type, {
          status: "Unknown",
          reason: "NodeStatusUnknown",
          message: "Kubelet stopped posting node status.",
          ago: 20,
        });
      }
    },
    cause: /kubelet|reports nothing|silent|heartbeat/i,
    remedy: /access|kubelet|restart/i,
  },
  {
    name: "the disk of a Windows node is full",
    source: "Kubernetes, node-pressure eviction",
    make: (p) => {
      p.nodeCondition("win1", "DiskPressure", {
        status: "True",
        reason: "KubeletHasDiskPressure",
        message: "kubelet has disk pressure",
        ago: 20,
      });
      p.event(p.node("win1"), "EvictionThresholdMet", "Attempting to reclaim ephemeral-storage", {
        side: "workload",
      });
    },
    cause: /disk/i,
    remedy: /osDisk|image|prune|disk/i,
  },
  {
    name: "containerd of a Windows node is down",
    source: "Kubernetes, kubelet runtime state",
    make: (p) =>
      p.nodeCondition("win1", "Ready", {
        reason: "KubeletNotReady",
        message:
          "[container runtime is down, PLEG is not healthy: pleg was last seen active 5m3.1s ago; threshold is 3m0s]",
        ago: 15,
      }),
    cause: /containerd|container runtime/i,
    remedy: /containerd|restart/i,
  },
  {
    name: "the API server's certificate has expired",
    source: "Kubernetes, kubeadm certificates",
    make: (p) =>
      p.problem("workload", {
        what: "certificate",
        asked: "cluster",
        message: "certificate has expired",
      }),
    cause: /certificate/i,
    remedy: /certificate|renew|roll/i,
  },
  {
    name: "Calico cannot make its HNS network",
    source: "kubernetes-sigs/sig-windows-tools#249, #302",
    make: (p) => {
      const pod = daemon(p, "calico-node-windows");
      p.pod(
        "workload",
        "calico-system",
        pod.metadata.name,
        crashLoop(
          "node",
          'hcnCreateNetwork failed in Win32: The parameter is incorrect. (0x57) {"Success":false,"Error":"The parameter is incorrect. ","ErrorCode":2147942487}',
          8,
        ),
      );
    },
    cause: /HNS|network/i,
    remedy: /HNS|restart|access|delete/i,
  },
  {
    name: "kube-proxy for this patch was never published",
    source: "kubernetes-sigs/cluster-api-provider-azure#2344",
    make: (p) =>
      p.pod("workload", "kube-system", daemon(p, "kube-proxy-windows").metadata.name, {
        waiting: [
          "ImagePullBackOff",
          'Back-off pulling image "docker.io/sigwindowstools/kube-proxy:v1.35.6-calico-hostprocess": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image: failed to resolve reference: docker.io/sigwindowstools/kube-proxy:v1.35.6-calico-hostprocess: not found',
        ],
        image: "docker.io/sigwindowstools/kube-proxy:v1.35.6-calico-hostprocess",
      }),
    cause: /kube-proxy/i,
    remedy: /kubeProxy|image/i,
  },
  {
    name: "CoreDNS asks itself",
    source: "CoreDNS, plugin loop",
    make: (p) =>
      p.pod(
        "workload",
        "kube-system",
        "coredns-5d78c9869d-aaaaa",
        crashLoop(
          "coredns",
          '[FATAL] plugin/loop: Loop (127.0.0.1:35537 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 1 2."',
        ),
      ),
    cause: /DNS/,
    remedy: /resolv|forward|loop|Corefile/i,
  },
  {
    name: "tigera-operator waits for a DNS that waits for it",
    source: "projectcalico/calico#9536, #10683",
    make: (p) => {
      p.pod(
        "workload",
        "tigera-operator",
        "tigera-operator-6c9d7-abcde",
        crashLoop(
          "tigera-operator",
          'Get "https://sick-5475e249.westeurope.cloudapp.azure.com:6443/api": dial tcp: lookup sick-5475e249.westeurope.cloudapp.azure.com on 10.96.0.10:53: read udp 10.10.0.4:4->10.96.0.10:53: i/o timeout',
        ),
      );
    },
    cause: /DNS|name/i,
    remedy: /dnsPolicy|operator/i,
  },
];
