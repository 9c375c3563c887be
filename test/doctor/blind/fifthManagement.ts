import type { Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/** Several symptoms at once in the management cluster, and refusals of Azure with details. */

const noEndpoints =
  'failed to create InfraMachine: Internal error occurred: failed calling webhook "default.azuremachine.infrastructure.cluster.x-k8s.io": failed to call webhook: Post "https://capz-webhook-service.capz-system.svc:443/mutate-infrastructure-cluster-x-k8s-io-v1beta1-azuremachine?timeout=10s": no endpoints available for service "capz-webhook-service"';

function capzIsDown(p: Patient): Patient {
  return p
    .condition(p.get("Deployment", "capz-controller-manager"), "Available", {
      reason: "MinimumReplicasUnavailable",
      message: "Deployment does not have minimum availability.",
      ago: 20,
    })
    .event(
      p.get("KubeadmControlPlane"),
      "FailedScaleUp",
      `Failed to create additional control plane Machine for cluster sick/sick: failed to create Machine: ${noEndpoints}`,
    );
}

export const fifthManagement: readonly BlindFault[] = [
  {
    name: "an upgrade of the control plane waits for quota",
    source: "learn.microsoft.com, QuotaExceeded",
    make: (p) => {
      const found = p.get("AzureMachine");
      const name = "sick-control-plane-q8x2v";
      const azure = p.add("management", {
        ...structuredClone(found),
        metadata: { ...structuredClone(found.metadata), name, uid: name },
      });
      const from = p.get("Machine", "sick-control-plane");
      const machine = p.add("management", {
        ...structuredClone(from),
        metadata: { ...structuredClone(from.metadata), name, uid: `m-${name}` },
      });
      machine.spec.infrastructureRef = { kind: "AzureMachine", name };
      const text =
        'virtualmachine failed to create or update. err: failed to create or update resource sick/sick-control-plane-q8x2v (service: virtualmachine): PUT https://management.azure.com/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Compute/virtualMachines/sick-control-plane-q8x2v\n--------------------------------------------------------------------------------\nRESPONSE 409: 409 Conflict\nERROR CODE: OperationNotAllowed\n--------------------------------------------------------------------------------\n{\n  "error": {\n    "code": "OperationNotAllowed",\n    "message": "Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: 20, Current Usage: 20, Additional Required: 4, (Minimum) New Limit Required: 24."\n  }\n}';
      p.refused(azure, "VMRunning", text)
        .condition(machine, "InfrastructureReady", { reason: "NotReady", message: text })
        .condition(machine, "Ready", { reason: "NotReady", message: `* InfrastructureReady: ${text}` })
        .condition(p.get("KubeadmControlPlane"), "RollingOut", {
          status: "True",
          reason: "RollingOut",
          message: "Rolling out 1 not up-to-date replicas\n* Version v1.34.8, v1.35.6 required",
        })
        .condition(p.get("Cluster"), "RollingOut", {
          status: "True",
          reason: "RollingOut",
          message: "* KubeadmControlPlane: rolling out",
        });
    },
    cause: /quota/i,
    remedy: /quota/i,
  },

  {
    name: "cert-manager does not issue the certificate of CAPZ's webhook",
    source: "cert-manager and cluster-api troubleshooting",
    make: (p) => {
      const certificate = p.add("management", {
        kind: "Certificate",
        apiVersion: "cert-manager.io/v1",
        metadata: { name: "capz-serving-cert", namespace: "capz-system" },
      });
      p.condition(certificate, "Ready", {
        reason: "DoesNotExist",
        message: "Issuing certificate as Secret does not exist",
        ago: 30,
      });
      const pod = p.get("Pod", "capz-controller-manager", "management");
      p.pod("management", "capz-system", pod.metadata.name, { waiting: ["ContainerCreating", ""] });
      p.event(
        pod,
        "FailedMount",
        'MountVolume.SetUp failed for volume "cert" : secret "capz-webhook-service-cert" not found',
      );
      capzIsDown(p);
    },
    cause: /certificate|cert-manager/i,
    remedy: /cert-manager/i,
  },
];
