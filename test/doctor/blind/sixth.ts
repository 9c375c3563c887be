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
];
