import type { Patient } from "../patient";
import type { BlindFault } from "./blindFault";
import { poolRefused } from "./fifthAzure";

/** A held-out list: written after all mending, over what the lists before it had left out. */

const line = "-".repeat(80);
const answer = (url: string, status: string, code: string, message: string): string =>
  `${url}\n${line}\nRESPONSE ${status}\nERROR CODE: ${code}\n${line}\n${JSON.stringify({ error: { code, message } }, undefined, 2)}\n${line}\n`;

const onWindows = (p: Patient, name: string) => {
  const pod = p.pod("workload", "shop", name, { waiting: ["ContainerCreating", ""] });
  pod.spec.nodeName = "win1000000";
  return pod;
};

export const seventh: readonly BlindFault[] = [
  {
    name: "no federated credential for the service account of CAPZ",
    source: "learn.microsoft.com, AADSTS700213",
    make: (p) =>
      p.refused(
        p.get("AzureCluster"),
        "NetworkInfrastructureReady",
        'failed to reconcile cluster services: failed to get availability zones: failed to refresh resource sku cache: could not iterate resource skus: WorkloadIdentityCredential authentication failed. \nPOST https://login.microsoftonline.com/t/oauth2/v2.0/token\n--------------------------------------------------------------------------------\nRESPONSE 401: 401 Unauthorized\n--------------------------------------------------------------------------------\n{\n  "error": "invalid_client",\n  "error_description": "AADSTS700213: No matching federated identity record found for presented assertion subject \'system:serviceaccount:capz-system:capz-manager\'. Check your federated identity credential Subject, Audience and Issuer against the presented assertion."\n}',
      ),
    cause: /federated/i,
    remedy: /federated-credential/i,
  },
  {
    name: "an address of the cluster is still in use while it is deleted",
    source: "learn.microsoft.com, PublicIPAddressCannotBeDeleted",
    make: (p) => {
      const cluster = p.get("AzureCluster");
      for (const object of [p.get("Cluster"), cluster]) {
        (object.metadata as Record<string, unknown>).deletionTimestamp = p.ago(50);
      }
      p.condition(cluster, "PublicIPsReady", {
        reason: "DeletionFailed",
        severity: "Error",
        message: `publicips failed to delete. err: failed to delete resource sick/pip-sick (service: publicips): ${answer("DELETE https://management.azure.com/x", "400: 400 Bad Request", "PublicIPAddressCannotBeDeleted", "Public IP address /subscriptions/1/resourceGroups/sick/providers/Microsoft.Network/publicIPAddresses/pip-sick can not be deleted since it is still allocated to resource /subscriptions/1/resourceGroups/net/providers/Microsoft.Network/azureFirewalls/fw/azureFirewallIpConfigurations/c.")}`,
      });
    },
    cause: /use|allocated/i,
    remedy: /az (resource|network)/i,
  },
  {
    name: "the gallery of the image belongs to another tenant",
    source: "learn.microsoft.com, share gallery images across tenants",
    make: (p) =>
      poolRefused(
        p,
        answer(
          "PUT https://management.azure.com/x",
          "403: 403 Forbidden",
          "LinkedAuthorizationFailed",
          "The client has permission to perform action 'Microsoft.Compute/galleries/images/versions/read' on scope '/subscriptions/1/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1', however the current tenant '1111' is not authorized to access linked subscription '2222'.",
        ),
      ),
    cause: /tenant|gallery|image|subscription/i,
    remedy: /role assignment|gallery|community|copy/i,
  },
  {
    name: "Azure does not take the password of a pool",
    source: "learn.microsoft.com, FAQ: password requirements of VMs",
    make: (p) =>
      poolRefused(
        p,
        answer(
          "PUT https://management.azure.com/x",
          "400: 400 Bad Request",
          "InvalidParameter",
          "The supplied password must be between 8-123 characters long and must satisfy at least 3 of password complexity requirements from the following: 1) Contains an uppercase character 2) Contains a lowercase character 3) Contains a numeric digit 4) Contains a special character 5) Control characters are not allowed",
        ),
      ),
    cause: /password/i,
    remedy: /password|access|secret/i,
  },
  {
    name: "a node waits for its CSINode",
    source: "kubernetes, kubelet: CSINode is not yet initialized",
    make: (p) =>
      p.nodeCondition("win", "Ready", {
        reason: "KubeletNotReady",
        message: "CSINode is not yet initialized",
        ago: 25,
      }),
    cause: /CSINode|CSI/,
    remedy: /csinode|kubelet|access/i,
  },
  {
    name: "the metrics API does not answer",
    source: "kubernetes-sigs/metrics-server, FailedDiscoveryCheck",
    make: (p) => {
      const service = p.add("workload", {
        kind: "APIService",
        apiVersion: "apiregistration.k8s.io/v1",
        metadata: { name: "v1beta1.metrics.k8s.io" },
        spec: { service: { namespace: "kube-system", name: "metrics-server" } },
      });
      p.condition(service, "Available", {
        reason: "FailedDiscoveryCheck",
        message:
          'failing or missing response from https://10.96.44.7:443/apis/metrics.k8s.io/v1beta1: Get "https://10.96.44.7:443/apis/metrics.k8s.io/v1beta1": dial tcp 10.96.44.7:443: i/o timeout',
        ago: 30,
      });
    },
    cause: /metrics-server/,
    remedy: /get pods,endpointslices -n kube-system/,
  },
  {
    name: "a Pod on a Windows node does not end",
    source: "microsoft/Windows-Containers#430; kubelet, FailedKillPod",
    make: (p) => {
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p");
      pod.spec.nodeName = "win1000000";
      (pod.metadata as Record<string, unknown>).deletionTimestamp = p.ago(45);
      p.event(
        pod,
        "FailedKillPod",
        'error killing pod: [failed to "KillContainer" for "web" with KillContainerError: "rpc error: code = DeadlineExceeded desc = an error occurs during waiting for container to be killed: wait container: context deadline exceeded", failed to "KillPodSandbox" with KillPodSandboxError: "rpc error: code = DeadlineExceeded desc = context deadline exceeded"]',
        { side: "workload", count: 25 },
      );
    },
    cause: /(stop|end|kill|terminat)/i,
    remedy: /force|restart|replace|delete machine/i,
  },
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
    name: "Windows does not find a disk of a machine with NVMe",
    source: "kubernetes-sigs/azuredisk-csi-driver#2365",
    make: (p) => {
      p.event(
        onWindows(p, "db-0"),
        "FailedMount",
        'MountVolume.MountDevice failed for volume "pvc-dcdeeaa3" : rpc error: code = Internal desc = failed to find disk on lun 0. azureDisk - findDiskByLun(0) failed with error(could not find disk id for lun: 0)',
        { side: "workload", count: 49 },
      );
    },
    cause: /NVMe|lun|does not (find|see)/i,
    remedy: /vmSize|driver|NVMe|size/i,
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
  {
    name: "the Secret of a ClusterResourceSet is gone",
    source: "kubernetes-sigs/cluster-api, clusterresourceset_controller.go",
    make: (p) =>
      p
        .condition(p.get("ClusterResourceSet", "sick-calico"), "ResourcesApplied", {
          reason: "InternalError",
          message: "Please check controller logs for errors",
          ago: 20,
        })
        .condition(p.get("ClusterResourceSet", "sick-calico"), "ResourcesApplied", {
          reason: "RetrievingResourceFailed",
          severity: "Warning",
          message: 'failed to get Secret sick-calico-1: Secret "sick-calico-1" not found',
          ago: 20,
          former: true,
        }),
    cause: /Secret "sick-calico-1" not found/,
    remedy: /pulumi up|get secret/i,
  },
];
