import { keyVaultPlugin } from "../../../bootstrap/keyVaultPlugin";
import type { Patient } from "../patient";
import type { Fault } from "./fault";

/** Bootstrap data, the control plane and add-ons. */

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

const notInitialized = (p: Patient): void => {
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

export const inCluster: readonly Fault[] = [
  {
    name: "a Windows node never joins",
    rule: "node-not-joined",
    scope: "pool win1",
    make: (p) => {
      notJoined(p);
    },
  },

  {
    name: "cloud-init failed on the first machine",
    rule: "control-plane-late",
    make: notInitialized,
  },
  {
    name: "the first machine waits for its key in Key Vault",
    rule: "key-vault-late",
    make: (p) => {
      notInitialized(p);
      const id = `/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/${"0f".repeat(16)}`;
      const controlPlane = p.get("KubeadmControlPlane");
      controlPlane.spec = {
        ...controlPlane.spec,
        kubeadmConfigSpec: { files: [keyVaultPlugin("vault1", id, 0, "image")] },
      };
    },
  },
];
