import type { BlindFault } from "./blindFault";
import { line, refuseCluster, windowsNode } from "./eighthScenes";

export const eighthManagement: readonly BlindFault[] = [
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
];
