import type { Loose } from "../patient";
import type { BlindFault } from "./blindFault";

/** The part of the list of `ninthDayTwo` about the management cluster and Azure. */

type Json = Record<string, unknown>;
const metadata = (object: Loose): Json => object.metadata;

const line = "-".repeat(80);
const answer = (url: string, status: string, code: string, message: string): string =>
  `${url}\n${line}\nRESPONSE ${status}\nERROR CODE: ${code}\n${line}\n${JSON.stringify({ error: { code, message } }, undefined, 2)}\n${line}\n`;

const lost = {
  status: "Unknown",
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting node status.",
} as const;

export const ninthDayTwoMore: readonly BlindFault[] = [
  {
    name: "somebody deletes the scale set of a pool",
    source: "kubernetes-sigs/cluster-api-provider-azure v1.27, azuremachinepool_controller.go",
    make: (p) => {
      const pool = p.get("AzureMachinePool", "win1");
      pool.status.provisioningState = "Deleting";
      p.condition(pool, "ScaleSetRunning", { reason: "ScaleSetDeleting", severity: "Info", ago: 20 })
        .condition(pool, "Ready", { reason: "ScaleSetDeleting", severity: "Info", ago: 20 })
        .event(pool, "UnexpectedVMDeletion", "Unexpected Azure scale set deletion")
        .nodeCondition("win1", "Ready", { ...lost, ago: 15 });
    },
    cause: /scale set.*(delet|gone)|delet.*scale set|VMSS/i,
    remedy: /activity-log|az vmss|lock/i,
  },
  {
    name: "the management cluster was rebuilt and has another issuer",
    source: "Azure/azure-workload-identity#1200, AADSTS700211",
    make: (p) =>
      p.refused(
        p.get("AzureCluster"),
        "NetworkInfrastructureReady",
        'failed to reconcile cluster services: failed to get availability zones: failed to refresh resource sku cache: could not iterate resource skus: WorkloadIdentityCredential authentication failed. \nPOST https://login.microsoftonline.com/t/oauth2/v2.0/token\n--------------------------------------------------------------------------------\nRESPONSE 401: 401 Unauthorized\n--------------------------------------------------------------------------------\n{\n  "error": "invalid_client",\n  "error_description": "AADSTS700211: No matching federated identity record found for presented assertion issuer \'https://westeurope.oic.prod-aks.azure.com/t/2c7d/\'. Please check your federated identity credential Subject, Audience and Issuer against the presented assertion."\n}',
      ),
    cause: /issuer/i,
    remedy: /federated-credential|oidcIssuerUrl|issuer/i,
  },
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
    name: "a pool is paused since somebody repaired it by hand",
    source: "kubernetes-sigs/cluster-api-provider-azure v1.27, azuremachinepool_controller.go; state only",
    make: (p) => {
      const pool = p.get("MachinePool", "win1");
      pool.spec.replicas = 3;
      pool.status.phase = "ScalingUp";
      (metadata(p.get("AzureMachinePool", "win1")).annotations as Json)["cluster.x-k8s.io/paused"] = "";
    },
    cause: /paused/i,
    remedy: /annotate.*paused-/i,
  },
  {
    name: "the new version of an add-on changes a selector",
    source:
      "kubernetes-sigs/cluster-api v1.14, clusterresourceset_controller.go; kubernetes: field is immutable",
    make: (p) => {
      const set = p.get("ClusterResourceSet", "sick-kube-proxy-windows");
      const message =
        'patching object apps/v1, Kind=DaemonSet kube-system/kube-proxy-windows: DaemonSet.apps "kube-proxy-windows" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"kube-proxy-windows"}}: field is immutable';
      p.condition(set, "ResourcesApplied", {
        ...{
          reason: "NotApplied",
          message: "Failed to apply ClusterResourceSet resources to Cluster",
          ago: 50,
        },
      }).condition(set, "ResourcesApplied", {
        ...{ reason: "ApplyFailed", severity: "Warning", message, ago: 50, former: true },
      });
    },
    cause: /immutable|cannot be changed|selector/i,
    remedy: /delete (daemonset|ds)|replace --force/i,
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
  {
    name: "the subscription was disabled, so that a pool cannot grow",
    source: "learn.microsoft.com, ReadOnlyDisabledSubscription",
    make: (p) => {
      p.get("MachinePool", "win1").spec.replicas = 3;
      p.refused(
        p.get("AzureMachinePool", "win1"),
        "BootstrapSucceeded",
        `scalesets failed to create or update. err: failed to create or update resource sick/win1 (service: scalesets): ${answer("PATCH https://management.azure.com/x", "409: 409 Conflict", "ReadOnlyDisabledSubscription", "The subscription '11111111-2222-4333-8444-555555555555' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.")}`,
      );
    },
    cause: /subscription.*(disabled|read.only)|disabled.*subscription/i,
    remedy: /az account|subscription|billing|portal/i,
  },
];
