import type { Fault } from "./fault";

/** Unreachable clusters, and controllers that do not run. */
export const reaching: readonly Fault[] = [
  {
    name: "the management cluster refuses connections",
    rule: "management-unreachable",
    make: (p) =>
      p
        .problem("management", {
          what: "unreachable",
          asked: "cluster",
          message: "connect ECONNREFUSED 203.0.113.9:443",
        })
        .problem("workload", {
          what: "noKubeconfig",
          asked: "cluster",
          message: "its kubeconfig is in the management cluster",
        }),
  },
  {
    name: "the management cluster does not answer in time",
    rule: "management-unreachable",
    make: (p) =>
      p.problem("management", { what: "timeout", asked: "cluster", message: "no answer within 20 s" }),
  },
  {
    name: "the token of the kubeconfig has expired",
    rule: "management-unauthorized",
    make: (p) => p.problem("management", { what: "unauthorized", asked: "cluster", message: "Unauthorized" }),
  },
  {
    name: "the certificate of another cluster",
    rule: "management-certificate",
    make: (p) =>
      p.problem("management", {
        what: "certificate",
        asked: "cluster",
        message: "unable to verify the first certificate",
      }),
  },
  {
    name: "kubelogin is not installed",
    rule: "login-failed",
    make: (p) =>
      p.problem("management", { what: "login", asked: "cluster", message: "spawn kubelogin ENOENT" }),
  },
  {
    name: "no deployment yet",
    rule: "no-kubeconfig",
    make: (p) =>
      p.problem("management", {
        what: "noKubeconfig",
        asked: "cluster",
        message: "pulumi stack output managementKubeconfig: error: no stack named 'sick' found",
      }),
  },
  {
    name: "neither Pulumi nor the Azure CLI is installed or logged in",
    rule: "kubeconfig-not-asked",
    make: (p) =>
      p.problem("management", {
        what: "notAsked",
        asked: "cluster",
        message:
          "pulumi stack output managementKubeconfig: pulumi: fetch failed; az aks get-credentials --resource-group: az cannot be started: spawn az ENOENT",
      }),
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
    name: "machines may not be listed",
    rule: "management-forbidden",
    make: (p) =>
      p.problem("management", {
        what: "forbidden",
        asked: "Machine",
        message: 'machines.cluster.x-k8s.io is forbidden: User "me" cannot list resource "machines"',
      }),
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
    name: "this address is not allowed at the workload API server",
    rule: "workload-unreachable-from-here",
    make: (p) =>
      p.problem("workload", { what: "timeout", asked: "cluster", message: "no answer within 20 s" }),
  },
  {
    name: "the workload kubeconfig is old",
    rule: "workload-unauthorized",
    make: (p) => p.problem("workload", { what: "unauthorized", asked: "cluster", message: "Unauthorized" }),
  },

  {
    name: "CAPZ was removed",
    rule: "provider-missing",
    make: (p) =>
      p.remove(
        "management",
        ({ kind, metadata }) => /Deployment|Pod/.test(kind) && metadata.name.startsWith("capz-"),
      ),
  },
];
