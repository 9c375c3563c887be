import type { BlindFault } from "./blindFault";
import { line, refuseCluster, windowsNode, application } from "./eighthScenes";

export const eighthManagement: readonly BlindFault[] = [
  {
    name: "the API server does not trust the certificate of CAPZ's webhook",
    source: "kubernetes-sigs/cluster-api-provider-azure#5690",
    make: (p) => {
      const message =
        'failed to create AzureMachine: failed to create AzureMachine sick/sick-control-plane-x7k2p: Internal error occurred: failed calling webhook "default.azuremachine.infrastructure.cluster.x-k8s.io": failed to call webhook: Post "https://capz-webhook-service.capz-system.svc:443/mutate-infrastructure-cluster-x-k8s-io-v1beta1-azuremachine?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority';
      const controlPlane = p.get("KubeadmControlPlane");
      controlPlane.spec.replicas = 3;
      p.condition(controlPlane, "MachinesCreated", {
        reason: "InfrastructureTemplateCloningFailed",
        message,
        severity: "Error",
        former: true,
        ago: 20,
      })
        .condition(controlPlane, "ScalingUp", {
          status: "True",
          reason: "ScalingUp",
          message: "Scaling up from 1 to 3 replicas",
          ago: 20,
        })
        .event(
          controlPlane,
          "FailedScaleUp",
          `Failed to create control plane Machine for cluster sick/sick control plane: ${message}`,
        );
    },
    cause: /webhook.*(certificate|CA\b)|(certificate|CA\b).*webhook/i,
    remedy: /cainjector|cert-manager/i,
  },
  {
    name: "the client secret of the service principal has expired",
    source: "prisma/ecosystem-tests#3437, kubernetes-sigs/cluster-api-provider-azure#2785",
    make: (p) => {
      const identity = p.get("AzureClusterIdentity");
      Object.assign(identity.spec, {
        type: "ServicePrincipal",
        clientSecret: { name: "sick-identity-secret", namespace: "sick" },
      });
      const text = `ClientSecretCredential authentication failed. \nPOST https://login.microsoftonline.com/11111111-2222-4333-8444-666666666666/oauth2/v2.0/token\n${line}\nRESPONSE 401: 401 Unauthorized\n${line}\n{\n  "error": "invalid_client",\n  "error_description": "AADSTS7000222: The provided client secret keys for app '1d97f845-8723-8881-89c7-a725cc1a93ec' are expired. Visit the Azure portal to create new keys for your app: https://aka.ms/NewClientSecret, or consider using certificate credentials for added security: https://aka.ms/certCreds. Trace ID: 200c87cc-3017-476c-8ce7-c8d455a71900",\n  "error_codes": [\n    7000222\n  ]\n}\n${line}`;
      for (const kind of ["ResourceGroup", "VirtualNetwork", "VirtualNetworksSubnet", "NatGateway"]) {
        for (const object of p.all(kind)) {
          p.condition(object, "Ready", { reason: "Failed", message: text, severity: "Warning", ago: 60 });
        }
      }
      refuseCluster(
        p,
        "ResourceGroupReady",
        `failed to create or update resource sick/sick (service: group): resource is not Ready: ${text}`,
      );
      for (const pool of p.all("AzureMachinePool")) {
        p.refused(
          pool,
          "ScaleSetRunning",
          `failed to get existing resource sick/${pool.metadata.name} (service: scalesets): ${text}`,
        );
      }
    },
    cause: /(client )?secret.*expired|expired.*secret/i,
    remedy: /secret|credential/i,
  },
  {
    name: "the certificates of the control plane have expired",
    source: "kubernetes.io, Certificate Management with kubeadm; message of Node.js for TLS",
    make: (p) => {
      const probe = "Remote connection probe failed, probe last succeeded at 2026-11-22T05:02:00Z";
      p.condition(p.get("Cluster"), "RemoteConnectionProbe", {
        reason: "ProbeFailed",
        message: probe,
        ago: 55,
      });
      const unknown = {
        status: "Unknown",
        reason: "ConnectionDown",
        message: probe,
        ago: 50,
      } as const;
      const controlPlane = p.get("KubeadmControlPlane");
      p.condition(controlPlane, "ControlPlaneComponentsHealthy", unknown).condition(
        controlPlane,
        "EtcdClusterHealthy",
        unknown,
      );
      for (const machine of p.all("Machine")) {
        p.condition(machine, "NodeHealthy", unknown);
      }
      Object.assign(p.get("Machine", "sick-control-plane").metadata, {
        annotations: { "machine.cluster.x-k8s.io/certificates-expiry": p.ago(60) },
      });
      p.problem("workload", { what: "certificate", asked: "cluster", message: "certificate has expired" });
    },
    cause: /certificate.*expired|expired.*certificate/i,
    remedy: /renew|roll/i,
  },
];

export const eighthApplications: readonly BlindFault[] = [
  {
    name: "a Windows Pod does not tolerate the taint of the Windows nodes",
    source: "kubernetes.io, Guide for Running Windows Containers: taints; message of the scheduler",
    make: (p) => {
      p.node(windowsNode).spec.taints = [{ key: "os", value: "windows", effect: "NoSchedule" }];
      const pod = p.pod("workload", "shop", "web-6c559f5868-aaaaa", {}, 20);
      pod.spec.nodeSelector = { "kubernetes.io/os": "windows" };
      pod.status = { phase: "Pending" };
      const message =
        "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 1 node(s) had untolerated taint {os: windows}, 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
      p.condition(pod, "PodScheduled", { reason: "Unschedulable", message, ago: 20 }).event(
        pod,
        "FailedScheduling",
        message,
        { side: "workload" },
      );
    },
    cause: /taint|tolerat/i,
    remedy: /toleration/i,
  },
  {
    name: "a chart puts an image of Linux on a Windows node",
    source: "containerd's message: no match for platform in manifest",
    make: (p) => {
      const image = "docker.io/library/redis:7-alpine";
      const text = `failed to pull and unpack image "${image}": no match for platform in manifest: not found`;
      const pod = application(
        p,
        "redis-master-0",
        ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${text}`],
        image,
      );
      delete pod.spec.nodeSelector;
      p.event(pod, "Failed", `Failed to pull image "${image}": rpc error: code = NotFound desc = ${text}`, {
        side: "workload",
      });
    },
    cause: /image for Linux/i,
    remedy: /kubernetes\.io\/os: linux/,
  },
  {
    name: "the key of a storage account was rotated, and Windows cannot mount its share",
    source: "kubernetes-sigs/azurefile-csi-driver#1610",
    make: (p) => {
      const pod = application(p, "reports-5f6d7c8b9-aaaaa");
      p.event(
        pod,
        "FailedMount",
        'MountVolume.MountDevice failed for volume "pvc-3c1f" : rpc error: code = Internal desc = volume(sick#stsick#reports###shop) mount \\\\stsick.file.core.windows.net\\reports on \\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\file.csi.azure.com\\bbab9a9f\\globalmount failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : The user name or password is incorrect. \\r\\nAt line:1 char:190\\r\\n    + CategoryInfo          : AuthenticationError: (MSFT_SmbGlobalMapping:ROOT/Microsoft/...mbGlobalMapping) [New-SmbGlobalMapping], CimException\\r\\n    + FullyQualifiedErrorId : Windows System Error 1326,New-SmbGlobalMapping\\r\\n \\r\\n", err: exit status 1\nPlease refer to http://aka.ms/filemounterror for possible causes and solutions for mount errors.',
        { side: "workload", count: 12 },
      );
    },
    cause: /key|password|credential/i,
    remedy: /secret|key/i,
  },
  {
    name: "a service account may not use the gMSA of its Pod",
    source: "kubernetes-sigs/windows-gmsa, admission-webhook/webhook.go",
    make: (p) => {
      const text =
        'admission webhook "admission-webhook.windows-gmsa.sigs.k8s.io" denied the request: service account "web" is not authorized to `use` GMSA cred spec "webapp01"';
      const set = p.add("workload", {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: { name: "web-6c559f5868", namespace: "shop" },
        status: { replicas: 0 },
      });
      p.condition(set, "ReplicaFailure", {
        status: "True",
        reason: "FailedCreate",
        message: text,
        ago: 10,
      }).event(set, "FailedCreate", `Error creating: ${text}`, { side: "workload", count: 14 });
    },
    cause: /service account.*(use|role|permission|allowed|authori)/i,
    remedy: /rolebinding|clusterrole|\brole\b/i,
  },
];
