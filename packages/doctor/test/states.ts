import { STATUS_CODES } from "node:http";
import { isTrue } from "capz-windows-doctor/cluster/objects";
import type { Loose, Patient } from "./patient";

/** States of which several objects tell: what the real controllers write into all of them. */

type Json = Record<string, unknown>;

/** An error of Azure in the format of CAPZ (azcore's ResponseError). */
export const azure = (status: number, code: string, message: string, what = "scalesets"): string =>
  `${what} failed to create or update. err: failed to create or update resource sick/win1 (service: ${what}): PUT https://management.azure.com/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1\n--------------------------------------------------------------------------------\nRESPONSE ${status}: ${status} ${STATUS_CODES[status] ?? ""}\nERROR CODE: ${code}\n--------------------------------------------------------------------------------\n{\n  "error": {\n    "code": "${code}",\n    "message": ${JSON.stringify(message)}\n  }\n}\n`;

export const lost = {
  status: "Unknown",
  reason: "NodeStatusUnknown",
  message: "Kubelet stopped posting node status.",
} as const;

/** The scale set of a pool is refused, and every object that waits for it says so. */
export const pool = (p: Patient, name: string, text: string): void => {
  const scaleSet = p.get("AzureMachinePool", name);
  p.refused(scaleSet, "ScaleSetRunning", text);
  const machinePool = p.get("MachinePool", name);
  machinePool.status.readyReplicas = 0;
  machinePool.status.phase = "ScalingUp";
  p.condition(machinePool, "InfrastructureReady", {
    reason: "Failed",
    message: text,
    severity: "Error",
    ago: 45,
    former: true,
  });
  p.remove(
    "management",
    (object) =>
      /^(Machine|AzureMachinePoolMachine)$/.test(object.kind) && object.metadata.name.startsWith(name),
  );
  p.remove("workload", (object) => object.kind === "Node" && object.metadata.name.startsWith(name));
};

/** The first machine of the control plane is refused, so nothing after it can be created. */
export const firstMachine = (p: Patient, text: string, event = "ReconcileError"): void => {
  const machine = p.get("AzureMachine");
  p.refused(machine, "VMRunning", text).event(machine, event, `failed to reconcile AzureMachine: ${text}`);
  machine.status.failureMessage = text;
  const cluster = p.get("Cluster", "sick");
  cluster.status.initialization = { infrastructureProvisioned: true };
  p.condition(cluster, "ControlPlaneInitialized", {
    reason: "NotInitialized",
    message: "Control plane not yet initialized",
    ago: 50,
  });
  p.condition(p.get("KubeadmControlPlane"), "Available", {
    reason: "NotAvailable",
    message: "Control plane not yet initialized",
    ago: 50,
  });
  p.condition(p.get("KubeadmControlPlane"), "Initialized", { reason: "NotInitialized", ago: 50 });
  const owner = p.get("Machine", "sick-control-plane");
  owner.status.phase = "Provisioning";
  p.condition(owner, "Ready", { reason: "NotReady", message: "* InfrastructureReady: VMRunning", ago: 50 });
  p.remove("workload", () => true).problem("workload", {
    what: "noKubeconfig",
    asked: "cluster",
    message: "there is no Secret sick-kubeconfig in sick yet",
  });
};

export const notJoined = (p: Patient): void => {
  const instance = p.get("AzureMachinePoolMachine", "win1");
  instance.status.nodeRef = undefined;
  instance.status.provisioningState = "Succeeded";
  instance.metadata = { ...instance.metadata, creationTimestamp: p.ago(50) };
  p.condition(instance, "NodeHealthy", { reason: "NodeProvisioning", severity: "Info", ago: 50 });
  const machinePool = p.get("MachinePool", "win1");
  machinePool.status.readyReplicas = 0;
  p.remove("workload", ({ kind, metadata }) => kind === "Node" && metadata.name.startsWith("win1"));
};

export const notInitialized = (p: Patient): void => {
  const cluster = p.get("Cluster", "sick");
  cluster.status.initialization = { infrastructureProvisioned: true };
  p.condition(p.get("KubeadmControlPlane"), "Initialized", { reason: "NotInitialized", ago: 45 })
    .condition(p.get("KubeadmControlPlane"), "Available", {
      reason: "NotAvailable",
      message: "Control plane not yet initialized",
      ago: 45,
    })
    .condition(cluster, "Available", {
      reason: "NotAvailable",
      message: "* ControlPlaneAvailable: Control plane not yet initialized",
      ago: 60,
    });
  p.get("Machine", "sick-control-plane").status.phase = "Provisioned";
  p.remove("workload", () => true).problem("workload", {
    what: "unreachable",
    asked: "cluster",
    message: "connect ECONNREFUSED",
  });
};

export const cniMissing =
  "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized";

export const unready = (p: Patient, name: string, message: string, ago = 30): Patient => {
  const node = p.node(name).metadata.name;
  if (message === cniMissing) {
    p.remove(
      "workload",
      // A Pod that a fault has broken before says why there is no network.
      (pod) =>
        pod.metadata.name.startsWith("calico-node") && pod.spec.nodeName === node && isTrue(pod, "Ready"),
    );
  }
  return p.nodeCondition(name, "Ready", { reason: "KubeletNotReady", message, ago });
};

/** What a pool wants, the version of its image, and what its nodes therefore run. */
export function upgradedPool(p: Patient, pool: string, wanted: string, image: string): void {
  (p.get("MachinePool", pool).spec.template as { spec: Json }).spec.version = wanted;
  const template = p.get("AzureMachinePool", pool).spec.template as Json;
  template.image = { computeGallery: { gallery: "mine", name: "capi-windows", version: image } };
  for (const object of [p.get("Machine", pool), p.node(pool)]) {
    (object.status.nodeInfo as Json).kubeletVersion = `v${image}`;
  }
}

export function upgradedControlPlane(p: Patient, version: string): void {
  p.get("KubeadmControlPlane").spec.version = version;
  const machine = p.get("Machine", "sick-control-plane");
  machine.spec.version = version;
  for (const object of [machine, p.node("sick-control-plane")]) {
    (object.status.nodeInfo as Json).kubeletVersion = version;
  }
}

export const deletedMachine = (p: Patient, message: string, ago: number): Loose => {
  const machine = p.get("Machine", "win1");
  Object.assign(machine.metadata, {
    deletionTimestamp: p.ago(ago),
    finalizers: ["machine.cluster.x-k8s.io"],
  });
  p.condition(machine, "Deleting", { status: "True", reason: "DrainingNode", message, ago });
  return machine;
};

/** The node of a machine that does not exist any more. */
export const leftNode = (p: Patient, ago: number): Loose => {
  const [from] = [p.node("win1")];
  const node = p.add("workload", {
    ...structuredClone(from),
    metadata: { ...structuredClone(from.metadata), name: "win1000009", uid: "win1000009" },
  });
  node.spec.providerID = String(from.spec.providerID).replace(/\d+$/, "9");
  (node.metadata.annotations as Record<string, string>)["cluster.x-k8s.io/machine"] = "win1-9";
  p.condition(node, "Ready", { ...lost, ago });
  return node;
};

export const drained = (what: string): string =>
  `Drain not completed yet (started at 2026-11-22T04:00:00Z):\n* Pods with eviction failed:\n  * ${what}: shop/web-0, shop/web-1`;

/** A machine whose virtual machine Azure keeps in the state Failed: CAPZ is content with it, and it is no node. */
export const failedMachine = (p: Patient): Loose => {
  const machine = p.get("AzureMachine");
  machine.status.vmState = "Failed";
  delete p.get("Machine", machine.metadata.name).status.nodeRef;
  return machine;
};

/** A Pod for which the scheduler finds no node. */
export const pending = (
  p: Patient,
  id: string,
  nodeSelector: Readonly<Record<string, string>>,
  message: string,
  ago: number,
): void => {
  const [namespace = "", name = ""] = id.split("/");
  const pod = p.pod("workload", namespace, name);
  pod.spec.nodeSelector = nodeSelector;
  pod.status = { phase: "Pending" };
  p.condition(pod, "PodScheduled", { reason: "Unschedulable", message, ago });
};

/** The Windows pool has lacked a node for an hour. */
export const lacksNode = (p: Patient): void => {
  const { metadata, status } = p.get("MachinePool", "win1");
  Object.assign(metadata, { creationTimestamp: p.ago(90) });
  Object.assign(status, { phase: "ScalingUp", nodeRefs: [], readyReplicas: 0 });
  (status.deprecated as { v1beta1: object }).v1beta1 = {};
  for (const object of [p.get("MachinePool", "win1"), p.get("AzureMachinePool", "win1")]) {
    p.condition(object, "Ready", { reason: "ScaleSetScalingUp", severity: "Info", ago: 60 });
  }
  for (const one of [p.get("Machine", "win1-0"), p.get("AzureMachinePoolMachine", "win1-0")]) {
    Object.assign(one.metadata, { creationTimestamp: p.ago(90) });
  }
};
