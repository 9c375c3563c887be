import type { BlindFault } from "./blindFault";

export const seventh: readonly BlindFault[] = [
  {
    name: "a program ends itself with 0xC0000409",
    source: "NTSTATUS, STATUS_STACK_BUFFER_OVERRUN",
    make: (p) => {
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p", {
        waiting: ["CrashLoopBackOff", "back-off 5m0s restarting failed container=web"],
        restarts: 12,
      });
      pod.spec.nodeName = "win1000000";
      const [status] = (pod.status as unknown as { containerStatuses: { lastState: unknown }[] })
        .containerStatuses;
      if (status) {
        status.lastState = { terminated: { reason: "Error", exitCode: 3221226505 } };
      }
    },
    cause: /0xC0000409|abort|ends itself|fail.?fast|buffer|crash/i,
    remedy: /logs|dump|debug/i,
  },

  {
    name: "the management cluster has no room for CAPZ",
    source: "kubernetes, FailedScheduling",
    make: (p) => {
      const found = p.get("Pod", "capz-controller-manager", "management");
      const text =
        "0/2 nodes are available: 2 Insufficient memory. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.";
      found.status = { phase: "Pending" };
      p.condition(found, "PodScheduled", { reason: "Unschedulable", message: text, ago: 20 })
        .event(found, "FailedScheduling", text)
        .condition(p.get("Deployment", "capz-controller-manager"), "Available", {
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
          ago: 20,
        });
    },
    cause: /memory|room|no node/i,
    remedy: /node/i,
  },
];
