import type { Loose } from "../patient";
import type { BlindFault } from "./blindFault";

/** The part of the list of `ninthDayTwo` about the management cluster and Azure. */

type Json = Record<string, unknown>;
const metadata = (object: Loose): Json => object.metadata;

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
  {
    name: "somebody scaled CAPZ to zero and forgot it",
    source: "kubernetes, Deployments with replicas 0 are Available; state only",
    make: (p) => {
      const deployment = p.get("Deployment", "capz-controller-manager");
      deployment.spec.replicas = 0;
      deployment.status = { ...deployment.status, replicas: 0, availableReplicas: 0 };
      p.remove(
        "management",
        ({ kind, metadata: { name } }) => kind === "Pod" && name.startsWith("capz-controller"),
      );
    },
    cause: /capz.*(0|zero|scaled|no (pod|replica)|not run)/i,
    remedy: /scale|replicas/i,
  },

  {
    name: "the cluster cannot be deleted as its identity is gone",
    source: "kubernetes-sigs/cluster-api-provider-azure#2269; v1.27, azure/scope/identity.go",
    make: (p) => {
      const azure = p.get("AzureCluster");
      for (const object of [p.get("Cluster"), azure]) {
        metadata(object).deletionTimestamp = p.ago(200);
      }
      p.remove("management", ({ kind }) => kind === "AzureClusterIdentity")
        .condition(p.get("Cluster"), "Deleting", {
          ...{ status: "True", reason: "WaitingForInfrastructureDeletion", ago: 190 },
          message: "Waiting for AzureCluster to be deleted",
        })
        .event(
          azure,
          "CreateClusterScopeFailed",
          'failed to create scope: failed to init credentials provider: failed to retrieve AzureClusterIdentity external object "sick"/"sick-identity": azureclusteridentities.infrastructure.cluster.x-k8s.io "sick-identity" not found',
        );
    },
    cause: /AzureClusterIdentity|identity/i,
    remedy: /AzureClusterIdentity|identity|pulumi up|finalizer/i,
  },
];
