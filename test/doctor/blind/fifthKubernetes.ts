import type { BlindFault } from "./blindFault";

export const fifthKubernetes: readonly BlindFault[] = [
  {
    name: "the webhook of Gatekeeper does not answer",
    source: "kubernetes reports of failed calling webhook validation.gatekeeper.sh",
    make: (p) => {
      const set = p.add("workload", {
        kind: "ReplicaSet",
        apiVersion: "apps/v1",
        metadata: { name: "web-6c9d8f7b5", namespace: "shop" },
      });
      p.remove("workload", (object) => object === set);
      p.event(
        set,
        "FailedCreate",
        'Error creating: Internal error occurred: failed calling webhook "validation.gatekeeper.sh": failed to call webhook: Post "https://gatekeeper-webhook-service.gatekeeper-system.svc:443/v1/admit?timeout=3s": context deadline exceeded',
        { side: "workload", count: 17 },
      );
    },
    cause: /webhook.*gatekeeper|gatekeeper.*webhook/i,
    remedy: /gatekeeper/i,
  },
];
