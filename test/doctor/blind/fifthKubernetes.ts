import type { BlindFault } from "./blindFault";

export const fifthKubernetes: readonly BlindFault[] = [
  {
    name: "the certificates of the control plane are older than a year",
    source: "kubernetes-sigs/cluster-api#5435",
    make: (p) => {
      const expired =
        "tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-22T06:01:00Z is after 2026-11-21T05:00:41Z";
      const machine = p.get("Machine", "sick-control-plane");
      p.problem("workload", { what: "certificate", asked: "cluster", message: "certificate has expired" })
        .condition(p.get("Cluster"), "RemoteConnectionProbe", {
          reason: "ProbeFailed",
          message: "Remote connection probe failed, probe last succeeded at 2026-11-21T05:00:31Z",
        })
        .condition(machine, "EtcdMemberHealthy", {
          status: "Unknown",
          reason: "InspectionFailed",
          message: `Failed to connect to etcd: failed to create etcd client: ${expired}`,
        })
        .condition(p.get("KubeadmControlPlane"), "EtcdClusterHealthy", {
          status: "Unknown",
          reason: "HealthUnknown",
          message: `* Machine ${machine.metadata.name}:\n  * EtcdMemberHealthy: Failed to connect to etcd: failed to create etcd client: ${expired}`,
        });
    },
    cause: /certificate.*expired|expired.*certificate/i,
    remedy: /certs renew|rollout/i,
  },
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
