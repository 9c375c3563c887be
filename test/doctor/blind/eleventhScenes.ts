import type { Loose, Patient } from "../patient";

/** Scenes of the eleventh list: a cause with the conditions that depend on it. */

const line = "-".repeat(80);

/** The text of a refusal of Azure as its SDK for Go prints it. */
export const azureSaid = (what: string, status: string, code: string, message: string): string =>
  `${what}\n${line}\nRESPONSE ${status}\nERROR CODE: ${code}\n${line}\n${JSON.stringify({ error: { code, message } }, undefined, 2)}\n${line}\n`;

export const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const compute = `${subscription}/resourceGroups/sick/providers/Microsoft.Compute`;

/** A Windows pool that Azure refuses, and its MachinePool, which says the same. */
export function poolStopped(p: Patient, status: string, code: string, message: string): void {
  const put = `PUT https://management.azure.com${compute}/virtualMachineScaleSets/win1`;
  const text = `scalesets failed to create or update. err: failed to create or update resource sick/win1 (service: scalesets): ${azureSaid(put, status, code, message)}`;
  p.refused(p.get("AzureMachinePool", "win1"), "ScaleSetRunning", text, { ago: 25 });
  const pool = p.get("MachinePool", "win1");
  Object.assign(pool.status, { phase: "Provisioning", readyReplicas: 0, replicas: 0, nodeRefs: [] });
  for (const type of ["InfrastructureReady", "Ready"]) {
    p.condition(pool, type, { reason: "Failed", severity: "Error", message: text, ago: 25, former: true });
  }
  p.remove("management", ({ kind, metadata }) => kind.endsWith("Machine") && metadata.name === "win1-0");
  withoutNode(p);
}

/** Removes the Windows node and its Pods. */
export function withoutNode(p: Patient): void {
  const { name } = p.node("win1").metadata;
  p.remove(
    "workload",
    ({ kind, metadata, spec }) =>
      (kind === "Node" && metadata.name === name) || (kind === "Pod" && spec.nodeName === name),
  );
}

/** A further control plane machine of an upgrade, and its AzureMachine. */
export function nextControlPlane(p: Patient): { machine: Loose; azure: Loose } {
  const name = "sick-control-plane-x7k2p";
  const [machine, azure] = ["Machine", "AzureMachine"].map((kind) => {
    const old = structuredClone(p.get(kind, "sick-control-plane"));
    const spec = { ...old.spec };
    delete spec.providerID;
    return p.add("management", {
      ...old,
      spec,
      metadata: { ...old.metadata, name, uid: `${kind}-${name}`, creationTimestamp: p.ago(35) },
      status: {},
    });
  }) as [Loose, Loose];
  machine.spec.infrastructureRef = {
    apiGroup: "infrastructure.cluster.x-k8s.io",
    kind: "AzureMachine",
    name,
  };
  machine.spec.version = "v1.35.7";
  machine.status.phase = "Provisioning";
  const plane = p.get("KubeadmControlPlane");
  plane.spec.version = "v1.35.7";
  Object.assign(plane.status, { replicas: 2, upToDateReplicas: 1 });
  p.condition(plane, "RollingOut", {
    status: "True",
    reason: "RollingOut",
    message: "Rolling out 1 not up-to-date replicas\n* Version v1.35.6, v1.35.7 required",
    ago: 36,
  });
  return { machine, azure };
}

/** What a Machine says of a Node that it cannot see or that is not ready. */
export function machineOf(p: Patient, name: string, reason: string, message: string, ago = 20): void {
  const machine = p.get("Machine", name);
  for (const type of ["NodeReady", "NodeHealthy"]) {
    p.condition(machine, type, { status: "Unknown", reason, message, ago });
  }
  p.condition(machine, "Ready", {
    status: "Unknown",
    reason: "ReadyUnknown",
    message: `* NodeHealthy: ${message}`,
    ago,
  });
}

/** A Node of which nothing is heard any more. */
export function silentNode(p: Patient, name: string, ago = 30): void {
  for (const type of ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"]) {
    p.nodeCondition(name, type, {
      status: "Unknown",
      reason: "NodeStatusUnknown",
      message: "Kubelet stopped posting node status.",
      ago,
    });
  }
  p.node(name).spec.taints = ["NoSchedule", "NoExecute"].map((effect) => ({
    key: "node.kubernetes.io/unreachable",
    effect,
    timeAdded: p.ago(ago),
  }));
}
