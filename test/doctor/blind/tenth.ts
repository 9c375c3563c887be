import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";
import { poolRefused } from "./fifthAzure";
import { tenthApplications } from "./tenthApplications";
import { tenthNodes } from "./tenthNodes";

/**
 * A held-out list of what the lead of a platform team has seen or fears most: the management cluster and Azure here, the
 * nodes in `tenthNodes.ts`, the applications in `tenthApplications.ts`.
 */

const line = "-".repeat(80);
const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const scaleSet = `${subscription}/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1`;

const answer = (request: string, status: string, code: string, message: string): string =>
  `${request}\n${line}\nRESPONSE ${status}\nERROR CODE: ${code}\n${line}\n${JSON.stringify({ error: { code, message } }, undefined, 2)}\n${line}\n`;

const refusedPool = (p: Patient, status: string, code: string, message: string): Patient =>
  poolRefused(p, answer(`PUT https://management.azure.com${scaleSet}`, status, code, message));

/** What Cluster API says of a pool that cannot grow. */
function growing(p: Patient, replicas: number): void {
  const pool = p.get("MachinePool", "win1");
  pool.spec.replicas = replicas;
  pool.status.phase = "ScalingUp";
  p.condition(p.get("AzureMachinePool", "win1"), "ScaleSetDesiredReplicas", {
    reason: "ScaleSetScalingUp",
    severity: "Info",
    ago: 45,
  });
}

/** A further machine like an existing one, with its object of CAPZ. */
function twin(p: Patient, kind: string, like: string, name: string): { machine: Loose; made: Loose } {
  const copy = (of: Loose): Loose => {
    const copied = structuredClone(of);
    Object.assign(copied.metadata, { name, uid: `${of.kind}-${name}`, creationTimestamp: p.ago(50) });
    return p.add("management", copied as unknown as Parameters<Patient["add"]>[1]);
  };
  const machine = copy(p.get("Machine", like));
  Object.assign(machine.spec.infrastructureRef as object, { name });
  delete machine.status.nodeRef;
  delete machine.status.nodeInfo;
  machine.status.phase = "Provisioning";
  machine.status.initialization = { bootstrapDataSecretCreated: true };
  machine.status.conditions = [];
  machine.status.deprecated = { v1beta1: { conditions: [] } };
  return { machine, made: copy(p.get(kind, like)) };
}

/** Conditions of a Machine whose infrastructure is not there yet. */
function withoutInfrastructure(p: Patient, machine: Loose, message: string): void {
  p.condition(machine, "InfrastructureReady", { reason: "NotReady", message, ago: 48 })
    .condition(machine, "NodeReady", {
      status: "Unknown",
      reason: "NodeInspectionFailed",
      message: `Waiting for ${(machine.spec.infrastructureRef as { kind: string }).kind} to report spec.providerID`,
      ago: 48,
    })
    .condition(machine, "Ready", {
      reason: "NotReady",
      message: `* InfrastructureReady: ${message}`,
      ago: 48,
    });
}

const tenthManagement: readonly BlindFault[] = [
  {
    name: "the quota is used up while a pool grows",
    source: "learn.microsoft.com, quota errors of cores",
    make: (p) => {
      refusedPool(
        p,
        "409: 409 Conflict",
        "OperationNotAllowed",
        "Operation could not be completed as it results in exceeding approved standardDSv5Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: 20, Current Usage: 20, Additional Required: 8, (Minimum) New Limit Required: 28. Setup Alerts when Quota reaches threshold.",
      );
      growing(p, 3);
      const pod = p.pod("workload", "shop", "web-6f7d9c-q8zpl", { waiting: ["", ""] });
      const text =
        "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.";
      pod.status = { phase: "Pending" };
      p.condition(pod, "PodScheduled", { reason: "Unschedulable", message: text, ago: 40 }).event(
        pod,
        "FailedScheduling",
        text,
        { side: "workload" },
      );
    },
    cause: /quota/i,
    remedy: /az quota|vmSize/i,
  },

  {
    name: "Azure has no machine of this size in the zone of the second control plane",
    source: "learn.microsoft.com, ZonalAllocationFailed; CAPZ v1.27, virtualmachines",
    make: (p) => {
      const name = "sick-control-plane-x2k9p";
      const { machine, made } = twin(p, "AzureMachine", "sick-control-plane", name);
      const text = answer(
        "GET https://management.azure.com/providers/Microsoft.Compute/locations/westeurope/operations/7d1f",
        "200: 200 OK",
        "ZonalAllocationFailed",
        "Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. Read more about improving likelihood of allocation success at http://aka.ms/allocation-guidance",
      );
      const message = `virtualmachine failed to create or update. err: failed to create or update resource sick/${name} (service: virtualmachine): ${text}`;
      delete made.spec.providerID;
      machine.spec.failureDomain = "2";
      delete machine.spec.providerID;
      made.status = {};
      p.refused(made, "VMRunning", message, { ago: 48 });
      withoutInfrastructure(p, machine, message);
      const plane = p.get("KubeadmControlPlane");
      plane.spec.replicas = 3;
      plane.status.replicas = 2;
      p.condition(plane, "ScalingUp", {
        status: "True",
        reason: "ScalingUp",
        message:
          "Scaling up from 2 to 3 replicas is blocked because:\n* waiting for control plane components to become healthy\n* waiting for etcd cluster to become healthy",
        ago: 50,
      });
    },
    cause: /capacity|allocat|sold out/i,
    remedy: /vmSize|zones|failureDomain/i,
  },
  {
    name: "a file of a pool comes from a Secret that nobody made",
    source: "Cluster API v1.14, kubeadmconfig_controller.go, resolveSecretFileContent",
    make: (p) => {
      const message =
        'failed to resolve file source: secret not found: sick/licences: Secret "licences" not found';
      const config = p.get("KubeadmConfig", "win1");
      config.status = {};
      p.condition(config, "DataSecretAvailable", {
        reason: "NotAvailable",
        message: `Failed to prepare spec.files: ${message}`,
        ago: 40,
      })
        .condition(config, "Ready", {
          reason: "NotReady",
          message: `* DataSecretAvailable: Failed to prepare spec.files: ${message}`,
          ago: 40,
        })
        .condition(config, "DataSecretAvailable", {
          ...{ reason: "DataSecretGenerationFailed", severity: "Warning", message, ago: 40 },
          former: true,
        });
      p.remove(
        "management",
        ({ kind, metadata }) =>
          /^(Machine|AzureMachinePoolMachine)$/.test(kind) && metadata.name === "win1-0",
      )
        .remove("workload", ({ kind, metadata }) => kind === "Node" && metadata.name === "win1000000")
        .remove("workload", ({ kind, metadata }) => kind === "Pod" && metadata.name.includes("-windows-"));
      const pool = p.get("MachinePool", "win1");
      pool.status = { phase: "Pending", initialization: {} };
      delete pool.spec.providerIDList;
      p.condition(pool, "BootstrapReady", {
        ...{ reason: "DataSecretGenerationFailed", severity: "Warning", message, ago: 40 },
        former: true,
      });
      p.get("AzureMachinePool", "win1").status = {};
    },
    cause: /secret.*licences|licences.*secret/i,
    remedy: /kubectl.*secret|contentFrom|secretFiles/i,
  },
  {
    name: "the cluster has lost the label that brings kube-proxy to its Windows nodes",
    source: "Cluster API v1.14, ClusterResourceSet: a cluster that does not match is left alone",
    make: (p) => {
      const cluster = p.get("Cluster");
      (cluster.metadata as Record<string, unknown>).labels = {
        "cloud-provider": "sick-azure",
        cni: "sick-calico",
      };
      const binding = p.get("ClusterResourceSetBinding");
      binding.spec.bindings = (binding.spec.bindings as { clusterResourceSetName: string }[]).filter(
        ({ clusterResourceSetName }) => clusterResourceSetName !== "sick-kube-proxy-windows",
      );
      p.get("ClusterResourceSet", "sick-kube-proxy-windows").status.conditions = [
        { type: "Paused", status: "False", reason: "NotPaused", lastTransitionTime: p.ago(50) },
      ];
      p.remove("workload", ({ metadata }) => metadata.name.startsWith("kube-proxy-windows"));
    },
    cause: /label|select|match/i,
    remedy: /kubectl label|pulumi up/i,
  },

  {
    name: "a new Windows machine never finishes to boot",
    source: "CAPZ v1.27, setBootstrapConditions and its states; no text but `VM bootstrapping`",
    make: (p) => {
      const { machine, made } = twin(p, "AzureMachinePoolMachine", "win1-0", "win1-1");
      const id = `azure://${scaleSet}/virtualMachines/1`;
      made.spec = { instanceID: "1", providerID: id };
      delete machine.spec.providerID;
      made.status = { provisioningState: "Creating", latestModelApplied: true, ready: false };
      p.condition(made, "BootstrapSucceeded", {
        ...{ reason: "BootstrapInProgress", severity: "Info", message: "VM bootstrapping", ago: 49 },
      });
      withoutInfrastructure(p, machine, "AzureMachinePoolMachine status.initialization.provisioned is false");
      growing(p, 2);
      const pool = p.get("AzureMachinePool", "win1");
      pool.status.provisioningState = "Updating";
      p.condition(pool, "ScaleSetModelUpdated", {
        ...{ reason: "ScaleSetModelOutOfDate", severity: "Info", ago: 49 },
      });
    },
    cause: /win1.*(creating|boot|provision|start|no node|join)|(creating|boot|provision|join).*win1/i,
    remedy: /boot-?(log|diag)|instance-view|delete machine|reimage/i,
  },
  {
    name: "the cluster is deleted after its identity",
    source: "CAPZ v1.27, azurecluster_controller.go, CreateClusterScopeFailed",
    make: (p) => {
      p.remove("management", ({ kind }) => kind === "AzureClusterIdentity");
      const text =
        'failed to create scope: failed to init credentials provider: failed to retrieve AzureClusterIdentity external object "sick"/"sick-identity": azureclusteridentities.infrastructure.cluster.x-k8s.io "sick-identity" not found';
      const cluster = p.get("Cluster");
      const deleted = [
        ...[cluster, p.get("MachinePool", "win1"), p.get("AzureMachinePool", "win1")],
        ...[p.get("MachinePool", "linux1"), p.get("AzureMachinePool", "linux1")],
      ];
      for (const { metadata } of deleted) {
        (metadata as Record<string, unknown>).deletionTimestamp = p.ago(40);
      }
      cluster.status.phase = "Deleting";
      p.condition(cluster, "Deleting", {
        status: "True",
        reason: "WaitingForWorkersDeletion",
        message: "* MachinePools: linux1, win1",
        ago: 40,
      }).event(p.get("AzureCluster"), "CreateClusterScopeFailed", text, { count: 60 });
    },
    cause: /identity.*(not exist|gone|missing|deleted)/i,
    remedy: /pulumi up.*--target|(apply|create|patch).*identit|identit.*(apply|create)/i,
  },
];

export const tenth: readonly BlindFault[] = [...tenthManagement, ...tenthNodes, ...tenthApplications];
