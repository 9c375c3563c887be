import type { BlindFault } from "./blindFault";

/** The control plane and scale sets: written down after the fifth list. */

export const sixth: readonly BlindFault[] = [
  {
    name: "a scale set grows for an hour and Azure says nothing",
    source: "kubernetes-sigs/cluster-api-provider-azure#2343",
    make: (p) => {
      const pool = p.get("AzureMachinePool", "win1");
      const machines = p.get("MachinePool", "win1");
      machines.spec.replicas = 2;
      Object.assign(machines.status, { phase: "ScalingUp", replicas: 2, readyReplicas: 1 });
      const instance = structuredClone(p.get("AzureMachinePoolMachine", "win1"));
      const creating = p.add("management", {
        ...instance,
        metadata: { ...instance.metadata, name: "win1-1", uid: "win1-1", creationTimestamp: p.ago(55) },
        status: { provisioningState: "Creating", ready: false },
      });
      p.condition(creating, "NodeHealthy", { reason: "NodeProvisioning", severity: "Info", ago: 55 });
      Object.assign(pool.status, { provisioningState: "Updating", ready: false });
      p.condition(pool, "ScaleSetDesiredReplicas", { reason: "ScaleSetScalingUp", severity: "Info", ago: 55 })
        .condition(pool, "ScaleSetRunning", { reason: "ScaleSetUpdating", severity: "Info", ago: 55 })
        .condition(pool, "Ready", { reason: "ScaleSetUpdating", severity: "Info", ago: 55 });
    },
    cause: /scale set|instance|machines?/i,
    remedy: /az vmss/i,
  },

  {
    name: "somebody has deleted the Node of a Windows machine",
    source: "kubernetes-sigs/cluster-api, machine_controller_noderef.go",
    make: (p) => {
      p.remove("workload", ({ kind, metadata }) => kind === "Node" && metadata.name.startsWith("win"));
      Object.assign(p.get("MachinePool", "win1").status, {
        phase: "ScalingUp",
        readyReplicas: 0,
        nodeRefs: [],
      });
      p.condition(p.get("Machine", "win1"), "NodeHealthy", {
        reason: "NodeDeleted",
        message: "Node win1000000 has been deleted",
        ago: 30,
      })
        .condition(p.get("Machine", "win1"), "NodeReady", {
          reason: "NodeDeleted",
          message: "Node win1000000 has been deleted",
          ago: 30,
        })
        .condition(p.get("AzureMachinePoolMachine", "win1"), "NodeHealthy", {
          reason: "NodeNotFound",
          severity: "Error",
          ago: 30,
        });
    },
    cause: /node.*(deleted|gone|not exist)|deleted.*node/i,
    remedy: /kubelet|delete machine/i,
  },
];
