import type { Fault } from "./fault";

/** Unreachable clusters, and controllers that do not run. */
export const reaching: readonly Fault[] = [
  {
    name: "the token of the kubeconfig has expired",
    rule: "management-unauthorized",
    make: (p) => p.problem("management", { what: "unauthorized", asked: "cluster", message: "Unauthorized" }),
  },

  {
    name: "no CRDs",
    rule: "no-crds",
    make: (p) =>
      p
        .remove("management", ({ apiVersion }) => apiVersion.includes("cluster.x-k8s.io"))
        .problem("management", {
          what: "absent",
          asked: "Cluster",
          message: "the server does not have clusters.cluster.x-k8s.io",
        }),
  },
  {
    name: "another name",
    rule: "no-cluster",
    make: (p) => (p.cluster = { name: "other", namespace: "other" }),
  },

  {
    name: "the management cluster's egress address changed",
    rule: "workload-unreachable-from-management",
    make: (p) => {
      const cluster = p.get("Cluster", "sick");
      p.condition(cluster, "RemoteConnectionProbe", {
        reason: "ProbeFailed",
        message: "Remote connection probe failed, probe last succeeded at 2026-11-22T04:01:02Z",
        ago: 8,
      })
        .condition(cluster, "Available", {
          reason: "NotAvailable",
          message: "* RemoteConnectionProbe: Remote connection probe failed",
          ago: 8,
        })
        .condition(p.get("KubeadmControlPlane"), "Available", {
          status: "Unknown",
          reason: "ConnectionDown",
          message: "* Control plane components: Remote connection down",
          ago: 30,
        })
        .problem("workload", { what: "timeout", asked: "cluster", message: "no answer within 20 s" });
      p.all("Machine").forEach((machine) =>
        p.condition(machine, "NodeHealthy", {
          status: "Unknown",
          reason: "ConnectionDown",
          message: "Remote connection down",
          ago: 8,
        }),
      );
    },
  },

  {
    name: "the workload kubeconfig is old",
    rule: "workload-unauthorized",
    make: (p) => p.problem("workload", { what: "unauthorized", asked: "cluster", message: "Unauthorized" }),
  },
];
