import type { BlindFault } from "./blindFault";
import { unschedulable } from "./pods";

/** Faults of applications: images, disks, load balancers, room. */

export const inApplications: readonly BlindFault[] = [
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
