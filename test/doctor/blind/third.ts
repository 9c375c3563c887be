import type { BlindFault } from "./blindFault";

/** Third batch, written after the rules for the second one, and again before a look at what they say of these. */

export const third: readonly BlindFault[] = [
  {
    name: "Pods that were evicted from a full node",
    source: "kubernetes, node-pressure eviction",
    make: (p) => {
      const pod = p.pod("workload", "shop", "web-6f7d9c-x2x7q");
      pod.spec = { nodeName: p.node("win1").metadata.name };
      pod.status = {
        phase: "Failed",
        reason: "Evicted",
        message:
          "The node was low on resource: ephemeral-storage. Threshold quantity: 13Gi, available: 9Gi. Container web was using 22Gi, request is 0, has larger consumption of ephemeral-storage.",
      };
      p.event(pod, "Evicted", "The node was low on resource: ephemeral-storage.", {
        side: "workload",
        count: 1,
      });
    },
    cause: /evict|disk/i,
    remedy: /ephemeral-storage|osDiskGB/,
  },
];
