import type { Patient } from "../patient";
import { azure, type Fault } from "./fault";

/** How CAPZ shows refusals of Azure: for the network, for a pool, for the first machine. */

export const entra = (code: string, text: string): string =>
  `failed to reconcile cluster services: failed to get availability zones: failed to refresh resource sku cache: could not list resource skus: WorkloadIdentityCredential authentication failed.\nPOST https://login.microsoftonline.com/11111111-2222-4333-8444-666666666666/oauth2/v2.0/token\n--------------------------------------------------------------------------------\nRESPONSE 401: 401 Unauthorized\n--------------------------------------------------------------------------------\n{\n  "error": "invalid_client",\n  "error_description": "${code}: ${text}"\n}\n`;

/** The network is refused: AzureCluster says so, and no machine has been started. */
export const network = (p: Patient, message: string): void => {
  const cluster = p.get("AzureCluster");
  p.refused(cluster, "NetworkInfrastructureReady", message).event(
    cluster,
    "ClusterReconcilerNormalFailed",
    message,
  );
  p.condition(p.get("Cluster", "sick"), "Available", {
    reason: "NotAvailable",
    message: "* InfrastructureReady: NetworkInfrastructureReady",
    ago: 50,
  }).condition(p.get("Cluster", "sick"), "InfrastructureReady", { reason: "NotReady", message, ago: 50 });
};

export const byEntra = (name: string, rule: string, code: string, text: string): Fault => ({
  name,
  rule,
  make: (p) => {
    network(p, entra(code, text));
  },
});

export const byNetwork = (name: string, rule: string, code: string, message: string): Fault => ({
  name,
  rule,
  make: (p) => {
    network(p, azure(400, code, message, "loadbalancers"));
  },
});

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

export const byPool = (name: string, rule: string, code: string, message: string, of = "win1"): Fault => ({
  name,
  rule,
  scope: `pool ${of}`,
  make: (p) => {
    pool(p, of, azure(409, code, message));
  },
});

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
