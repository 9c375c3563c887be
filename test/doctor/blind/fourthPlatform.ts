import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";
import { app, unschedulable } from "./pods";

/** Fourth batch, by another author, who wrote it before he opened the rules or the batches before: what platforms do. */

/** What a controller says that may not create Pods. */
export function notCreated(p: Patient, kind: string, namespace: string, name: string, why: string): Loose {
  const owner = p.add("workload", {
    kind,
    apiVersion: "apps/v1",
    metadata: { name, namespace },
    status: { replicas: 0, desiredNumberScheduled: 2, currentNumberScheduled: 0, numberReady: 0 },
  });
  p.event(owner, "FailedCreate", `Error creating: ${why}`, { side: "workload", count: 17 });
  return owner;
}

export const fourthPlatform: readonly BlindFault[] = [
  {
    name: "a machine that a schedule of the team switched off at night",
    source: "cloud-provider, node lifecycle controller; Azure DevTest auto-shutdown",
    make: (p) => {
      const node = p.node("win1");
      for (const type of ["MemoryPressure", "DiskPressure", "PIDPressure", "Ready"]) {
        p.condition(node, type, {
          status: "Unknown",
          reason: "NodeStatusUnknown",
          message: "Kubelet stopped posting node status.",
          ago: 50,
        });
      }
      node.spec.taints = [
        { key: "node.cloudprovider.kubernetes.io/shutdown", effect: "NoSchedule", timeAdded: p.ago(50) },
        { key: "node.kubernetes.io/unreachable", effect: "NoSchedule", timeAdded: p.ago(50) },
        { key: "node.kubernetes.io/unreachable", effect: "NoExecute", timeAdded: p.ago(50) },
      ];
      p.event(node, "NodeNotReady", `Node ${node.metadata.name} status is now: NodeNotReady`, {
        side: "workload",
        count: 1,
        ago: 50,
      });
    },
    cause: /stopped|deallocated|switched off|shut ?down/i,
    remedy: /start|auto-?shutdown/i,
  },
  {
    name: "a namespace label that refuses HostProcess containers",
    source: "kubernetes, pod-security-admission, check_windowsHostProcess.go",
    make: (p) =>
      notCreated(
        p,
        "DaemonSet",
        "kube-system",
        "kube-proxy-windows",
        'pods "kube-proxy-windows-x7n2p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true), hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
      ),
    cause: /pod ?security/i,
    remedy: /pod-security\.kubernetes\.io\/enforce/,
  },
  {
    name: "a policy engine that is down and refuses every Pod",
    source: "kyverno, troubleshooting; apiserver, util/webhook/error.go",
    make: (p) => {
      const why =
        'Internal error occurred: failed calling webhook "validate.kyverno.svc-fail": failed to call webhook: Post "https://kyverno-svc.kyverno.svc:443/validate/fail?timeout=10s": no endpoints available for service "kyverno-svc"';
      notCreated(p, "DaemonSet", "calico-system", "calico-node-windows", why);
      notCreated(p, "ReplicaSet", "kyverno", "kyverno-admission-controller-6d5b9c7f4", why);
      notCreated(p, "ReplicaSet", "shop", "cart-5f6d8c9b7", why);
    },
    cause: /webhook/i,
    remedy: /webhookconfiguration/i,
  },

  {
    name: "a node that somebody cordoned and forgot",
    source: "kubernetes, scheduler, node_unschedulable.go",
    make: (p) => {
      const node = p.node("win1");
      node.spec.unschedulable = true;
      node.spec.taints = [
        { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule", timeAdded: p.ago(55) },
      ];
      const pod = app(p, "", "");
      pod.spec = { nodeSelector: { "kubernetes.io/os": "windows" }, containers: [{ name: "web" }] };
      unschedulable(
        p,
        pod,
        "0/3 nodes are available: 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
      );
    },
    cause: /cordon|unschedulable/i,
    remedy: /uncordon/i,
  },
];
