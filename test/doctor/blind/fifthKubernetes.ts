import type { BlindFault } from "./blindFault";

/** Control plane, webhooks and applications. */

const capzWebhook =
  'failed to create InfraMachine: Internal error occurred: failed calling webhook "default.azuremachine.infrastructure.cluster.x-k8s.io": failed to call webhook: Post "https://capz-webhook-service.capz-system.svc:443/mutate-infrastructure-cluster-x-k8s-io-v1beta1-azuremachine?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority';

export const fifthKubernetes: readonly BlindFault[] = [
  {
    name: "the API server does not trust the certificate of CAPZ's webhook",
    source: "kubernetes-sigs/cluster-api, kubeadmcontrolplane/scale.go and helpers.go",
    make: (p) => {
      const kcp = p.get("KubeadmControlPlane");
      kcp.spec.replicas = 3;
      p.condition(kcp, "MachinesCreated", {
        reason: "InfrastructureTemplateCloningFailed",
        message: capzWebhook,
        severity: "Error",
        former: true,
      })
        .condition(kcp, "ScalingUp", {
          status: "True",
          reason: "ScalingUp",
          message: "Scaling up from 1 to 3 replicas",
          ago: 30,
        })
        .event(
          kcp,
          "FailedScaleUp",
          `Failed to create additional control plane Machine for cluster sick/sick: failed to create Machine: ${capzWebhook}`,
        );
    },
    cause: /webhook.*(certificate|CA)|(certificate|CA).*webhook/i,
    remedy: /cainjector|cert-manager|caBundle/i,
  },
  {
    name: "the database of etcd is full",
    source:
      "kubernetes-sigs/cluster-api, controlplane/kubeadm/pkg/workload_cluster_conditions.go; etcd-io/etcd#14497",
    make: (p) => {
      const machine = p.get("Machine", "sick-control-plane");
      p.condition(machine, "EtcdMemberHealthy", {
        reason: "NotHealthy",
        message: "Etcd reports alarms: NOSPACE",
      })
        .condition(machine, "EtcdMemberHealthy", {
          reason: "EtcdMemberUnhealthy",
          message: "Etcd member reports alarms: NOSPACE",
          severity: "Error",
          former: true,
        })
        .condition(p.get("KubeadmControlPlane"), "EtcdClusterHealthy", {
          reason: "NotHealthy",
          message: `* Machine ${machine.metadata.name}:\n  * EtcdMemberHealthy: Etcd reports alarms: NOSPACE`,
        });
    },
    cause: /etcd.*(quota|space|full|limit)/i,
    remedy: /defrag|alarm disarm|compact/i,
  },
  {
    name: "GitHub limits the downloads of the operator of Cluster API",
    source: "kubernetes-sigs/cluster-api-operator#394",
    make: (p) => {
      const provider = p.add("management", {
        kind: "InfrastructureProvider",
        apiVersion: "operator.cluster.x-k8s.io/v1alpha2",
        metadata: { name: "azure", namespace: "capz-system" },
        spec: { version: "v1.27.0" },
      });
      p.condition(provider, "ProviderInstalled", {
        reason: "ComponentsFetchError",
        message:
          'failed to read "infrastructure-components.yaml" from the repository for provider "azure": failed to get GitHub release v1.27.0: rate limit for github api has been reached. Please wait one hour or get a personal API token and assign it to the GITHUB_TOKEN environment variable',
      });
    },
    cause: /GitHub.*limit|limit.*GitHub/i,
    remedy: /GITHUB_TOKEN|hour|token/i,
  },
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
  {
    name: "a share of Azure Files is mapped with other credentials already",
    source: "Azure/AKS#5612",
    make: (p) => {
      const pod = p.pod("workload", "shop", "files-0", { waiting: ["ContainerCreating", ""] });
      pod.spec.nodeName = "win1000000";
      p.event(
        pod,
        "FailedMount",
        'MountVolume.SetUp failed for volume "share" : rpc error: code = Internal desc = volume(csi-6f1) mount \\\\shopfiles.file.core.windows.net\\share on \\var\\lib\\kubelet\\pods\\7d64\\volumes\\kubernetes.io~csi\\share\\mount failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : Multiple connections to a server or shared resource by the same user, using more than one user name, are not allowed. Disconnect all previous connections to the server or shared resource and try again. \\r\\n    + FullyQualifiedErrorId : Windows System Error 1219,New-SmbGlobalMapping\\r\\n", err: exit status 1',
        { side: "workload" },
      );
    },
    cause: /credential|user name|account|key/i,
    remedy: /SmbGlobalMapping|secret|same (key|credential|user)/i,
  },
  {
    name: "the VM size takes no more disks",
    source: "kubernetes-sigs/azuredisk-csi-driver#2883",
    make: (p) => {
      const pod = p.pod("workload", "shop", "db-8", { waiting: ["ContainerCreating", ""] });
      pod.spec.nodeName = "win1000000";
      p.event(
        pod,
        "FailedAttachVolume",
        'AttachVolume.Attach failed for volume "pvc-8646cb0b-78cf-4383-86df-1b969523bd74" : rpc error: code = Internal desc = Attach volume /subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Compute/disks/pvc-8646cb0b-78cf-4383-86df-1b969523bd74 to instance win1000000 failed with PATCH https://management.azure.com/subscriptions/11111111/virtualMachineScaleSets/win1/virtualMachines/0\n--------------------------------------------------------------------------------\nRESPONSE 409: 409 Conflict\nERROR CODE: OperationNotAllowed\n--------------------------------------------------------------------------------\n{\n  "error": {\n    "code": "OperationNotAllowed",\n    "message": "The maximum number of data disks allowed to be attached to a VM of this size is 8.",\n    "target": "dataDisks"\n  }\n}',
        { side: "workload" },
      );
    },
    cause: /disks.*size|size.*disks/i,
    remedy: /larger|more nodes|spread|size/i,
  },
  {
    name: "the address of a Service is in another resource group",
    source: "Azure/AKS#253, pulumi/pulumi-kubernetes#945",
    make: (p) => {
      const service = p.add("workload", {
        kind: "Service",
        metadata: { name: "web", namespace: "shop" },
        spec: { type: "LoadBalancer", loadBalancerIP: "20.1.2.3" },
        status: { loadBalancer: {} },
      });
      p.event(
        service,
        "SyncLoadBalancerFailed",
        "Error syncing load balancer: failed to ensure load balancer: findMatchedPIPByLoadBalancerIP: cannot find public IP with IP address 20.1.2.3: user supplied IP Address 20.1.2.3 was not found in resource group sick",
        { side: "workload" },
      );
    },
    cause: /resource group/i,
    remedy: /azure-load-balancer-resource-group/i,
  },
  {
    name: "a Windows container that must not run as administrator does",
    source: "kubernetes/kubernetes#112469",
    make: (p) => {
      const text =
        'container\'s runAsUserName (ContainerAdministrator) which will be regarded as root identity and will break non-root policy (pod: "web-6c9d8f7b5-x2x4p_shop(7d64b0a1)", container: web)';
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p", {
        waiting: ["CreateContainerConfigError", text],
      });
      pod.spec.nodeName = "win1000000";
      p.event(pod, "Failed", `Error: ${text}`, { side: "workload" });
    },
    cause: /runAsNonRoot|ContainerAdministrator/i,
    remedy: /ContainerUser/i,
  },
  {
    name: "PowerShell starts slower than a probe waits",
    source: "Azure/AKS#1836, #3107",
    make: (p) => {
      const pod = p.pod("workload", "shop", "web-6c9d8f7b5-x2x4p");
      pod.spec.nodeName = "win1000000";
      const [status] = (pod.status as unknown as { containerStatuses: { ready: boolean }[] })
        .containerStatuses;
      if (status) {
        status.ready = false;
      }
      p.condition(pod, "Ready", { reason: "ContainersNotReady", ago: 30 }).event(
        pod,
        "Unhealthy",
        'Readiness probe failed: command timed out: "powershell.exe -Command if ((Invoke-WebRequest http://localhost/health -UseBasicParsing).StatusCode -ne 200) { exit 1 }" timed out after 1s',
        { side: "workload", count: 88 },
      );
    },
    cause: /probe.*(time|long|slow|second)/i,
    remedy: /timeoutSeconds/i,
  },
];
