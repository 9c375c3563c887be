import type { BlindFault } from "./blindFault";
import { unschedulable } from "./pods";

/** Faults of applications: images, disks, load balancers, room. */

export const inApplications: readonly BlindFault[] = [
  {
    name: "no storage class",
    source: "Kubernetes, persistent volume controller",
    make: (p) => {
      p.remove("workload", ({ kind }) => kind === "StorageClass");
      const claim = p.add("workload", {
        kind: "PersistentVolumeClaim",
        metadata: { name: "data", namespace: "shop" },
        spec: { accessModes: ["ReadWriteOnce"] },
        status: { phase: "Pending" },
      });
      p.event(
        claim,
        "FailedBinding",
        "no persistent volumes available for this claim and no storage class is set",
        { side: "workload" },
      );
    },
    cause: /storage ?class/i,
    remedy: /storage|azureDisk|addons/i,
  },

  {
    name: "no room for a pod",
    source: "Kubernetes, scheduler",
    make: (p) =>
      unschedulable(
        p,
        p.pod("workload", "shop", "web-6f7d9c-x2x7q"),
        "0/3 nodes are available: 1 Insufficient memory, 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
      ),
    cause: /memory|room|fit/i,
    remedy: /replicas|size|request/i,
  },
];
