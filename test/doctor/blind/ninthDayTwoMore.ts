import type { BlindFault } from "./blindFault";

/** The part of the list of `ninthDayTwo` about the management cluster and Azure. */

type Json = Record<string, unknown>;

export const ninthDayTwoMore: readonly BlindFault[] = [
  {
    name: "CAPZ needs more memory than its limit",
    source: "kubernetes, OOMKilled",
    make: (p) => {
      const pod = p.pod("management", "capz-system", "capz-controller-manager-7d9f8c6b5-abcde", {
        waiting: [
          "CrashLoopBackOff",
          "back-off 5m0s restarting failed container=manager pod=capz-controller-manager-7d9f8c6b5-abcde_capz-system",
        ],
        ended: ["OOMKilled", ""],
        restarts: 23,
      });
      const [status] = pod.status.containerStatuses as { lastState: { terminated: Json } }[];
      if (status) {
        status.lastState.terminated.exitCode = 137;
      }
      p.condition(p.get("Deployment", "capz-controller-manager"), "Available", {
        ...{
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
          ago: 30,
        },
      });
    },
    cause: /memory|OOM/i,
    remedy: /memory|limits/i,
  },
  {
    name: "the certificate of the webhook of CAPZ has expired",
    source: "kubernetes-sigs/cluster-api-provider-vsphere#1333; cert-manager did not renew",
    make: (p) => {
      const plane = p.get("KubeadmControlPlane");
      plane.spec.replicas = 3;
      const text = `failed to create Machine: failed to create AzureMachine: Internal error occurred: failed calling webhook "default.azuremachine.infrastructure.cluster.x-k8s.io": failed to call webhook: Post "https://capz-webhook-service.capz-system.svc:443/mutate-infrastructure-cluster-x-k8s-io-v1beta1-azuremachine?timeout=10s": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time ${p.takenAt} is after ${p.ago(1500)}`;
      p.condition(plane, "MachinesCreated", {
        ...{
          reason: "InfrastructureTemplateCloningFailed",
          severity: "Error",
          message: text,
          ago: 40,
          former: true,
        },
      })
        .condition(plane, "ScalingUp", {
          ...{ status: "True", reason: "ScalingUp", message: "Scaling up from 1 to 3 replicas", ago: 40 },
        })
        .event(
          plane,
          "FailedScaleUp",
          `Failed to create additional control plane Machine for cluster sick/sick: ${text}`,
        );
    },
    cause: /expired|not (been )?renewed/i,
    remedy: /cert-manager|certificate|cmctl|delete secret/i,
  },
];
