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
    name: "paused by an interrupted move",
    rule: "paused",
    make: (p) =>
      p.condition(p.get("Cluster", "sick"), "Paused", {
        status: "True",
        reason: "Paused",
        message: "Cluster spec.paused is set to true",
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
    name: "CAPZ cannot be pulled, and its webhook is down for it",
    rule: "provider-image-pull",
    make: (p) => {
      p.pod("management", "capz-system", "capz-controller-manager-7d9f8c6b5-abcde", {
        waiting: [
          "ImagePullBackOff",
          'Back-off pulling image "registry.k8s.io/cluster-api-azure/cluster-api-azure-controller:v1.27.9"',
        ],
        image: "registry.k8s.io/cluster-api-azure/cluster-api-azure-controller:v1.27.9",
      });
      const capz = p.get("Deployment", "capz-controller-manager");
      capz.status.availableReplicas = 0;
      p.condition(capz, "Available", {
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
        ago: 9,
      });
      p.event(
        p.get("KubeadmControlPlane"),
        "FailedScaleUp",
        'Failed to create additional control plane Machine: failed calling webhook "default.azuremachine.infrastructure.cluster.x-k8s.io": connect: connection refused',
      );
    },
  },
  {
    name: "the operator is out of memory",
    rule: "provider-out-of-memory",
    make: (p) =>
      p.pod("management", "capi-operator-system", "capi-operator-cluster-api-operator-7d9f8c6b5-abcde", {
        waiting: ["CrashLoopBackOff", "back-off 5m0s restarting failed container"],
        ended: ["OOMKilled", ""],
        restarts: 7,
      }),
  },
  {
    name: "CAPZ crashes",
    rule: "provider-crashes",
    make: (p) =>
      p.pod("management", "capz-system", "capz-controller-manager-7d9f8c6b5-abcde", {
        waiting: ["CrashLoopBackOff", "back-off 5m0s restarting failed container"],
        ended: ["Error", 'unable to start manager: no matches for kind "ManagedClustersAgentPool"'],
        restarts: 12,
      }),
  },
  {
    name: "no room for CAPZ",
    rule: "provider-unscheduled",
    make: (p) => {
      const pod = p.pod("management", "capz-system", "capz-controller-manager-7d9f8c6b5-abcde");
      pod.status = { phase: "Pending" };
      p.condition(pod, "PodScheduled", {
        reason: "Unschedulable",
        message: "0/1 nodes are available: 1 Insufficient memory.",
        ago: 12,
      });
      p.get("Deployment", "capz-controller-manager").status.availableReplicas = 0;
      p.condition(p.get("Deployment", "capz-controller-manager"), "Available", {
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
        ago: 12,
      });
    },
  },
  {
    name: "GitHub's limit",
    rule: "provider-rate-limit",
    make: (p) => {
      const provider = p.add("management", {
        kind: "InfrastructureProvider",
        apiVersion: "operator.cluster.x-k8s.io/v1alpha2",
        metadata: { name: "azure", namespace: "capz-system" },
      });
      p.condition(provider, "PreflightCheckPassed", { status: "True", reason: "", ago: 20 })
        .condition(provider, "ProviderInstalled", {
          reason: "ComponentsFetchError",
          message:
            "failed to get repository client for the InfrastructureProvider with name azure: error creating the GitHub repository client: rate limit for github api has been reached",
          ago: 20,
        })
        .condition(provider, "Ready", {
          reason: "ComponentsFetchError",
          message: "rate limit for github api has been reached",
          ago: 20,
        });
    },
  },
  {
    name: "a certificate is not issued",
    rule: "certificate-not-ready",
    make: (p) =>
      p.condition(
        p.add("management", {
          kind: "Certificate",
          apiVersion: "cert-manager.io/v1",
          metadata: { name: "capz-serving-cert", namespace: "capz-system" },
        }),
        "Ready",
        { reason: "DoesNotExist", message: "Issuing certificate as Secret does not exist", ago: 14 },
      ),
  },
  {
    name: "no authority in the webhook",
    rule: "webhook-without-ca",
    make: (p) =>
      p.add("management", {
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "capz-validating-webhook-configuration" },
        webhooks: [
          { name: "validation.azurecluster.infrastructure.cluster.x-k8s.io", clientConfig: { service: {} } },
        ],
      }),
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
