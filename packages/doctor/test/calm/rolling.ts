import type { Loose, Patient } from "../patient";

/**
 * Pools that have run for two months and are scaled, upgraded or repaired, with the conditions that Cluster API v1.14.2
 * and CAPZ v1.27.0 write (azure/scope/machinepool.go, setProvisioningStateAndConditions).
 */

const minutesOfTwoMonths = 60 * 24 * 60;

/** Makes a pool and everything that belongs to it two months old. */
export function grown(p: Patient, pool: string): void {
  const kinds = ["MachinePool", "AzureMachinePool", "AzureMachinePoolMachine", "Machine", "KubeadmConfig"];
  const conditions = (holder: unknown): Record<string, unknown>[] =>
    (holder as { conditions?: Record<string, unknown>[] } | undefined)?.conditions ?? [];
  for (const object of kinds.flatMap((kind) => p.all(kind))) {
    if (object.metadata.name.startsWith(pool)) {
      Object.assign(object.metadata, { creationTimestamp: p.ago(minutesOfTwoMonths) });
      const former = (object.status.deprecated as { v1beta1?: unknown } | undefined)?.v1beta1;
      for (const condition of [...conditions(object.status), ...conditions(former)]) {
        condition.lastTransitionTime = p.ago(minutesOfTwoMonths);
      }
    }
  }
}

/** Another instance of the pool win1, as CAPZ makes it, and its Machine. */
export function instance(p: Patient, name: string, ago: number, status: Record<string, unknown>): Loose {
  const copy = (kind: string): Loose => {
    const { metadata, ...rest } = structuredClone(p.get(kind, "win1-0"));
    return p.add("management", { ...rest, metadata: { ...metadata, name, creationTimestamp: p.ago(ago) } });
  };
  Object.assign(copy("Machine"), { status: { phase: "Provisioning", conditions: [] } });
  const made = copy("AzureMachinePoolMachine");
  made.status = status;
  return made;
}

/** What Cluster API and CAPZ write when a pool has other replicas than nodes. */
export function scaling(p: Patient, replicas: number, ago: number): void {
  grown(p, "win1");
  const pool = p.get("MachinePool", "win1");
  const scaleSet = p.get("AzureMachinePool", "win1");
  Object.assign(pool.spec, { replicas });
  Object.assign(pool.status, { phase: "ScalingUp" });
  const former = { status: "False", severity: "Info", ago, former: true } as const;
  p.condition(pool, "ReplicasReady", { ...former, reason: "WaitingForReplicasReady" });
  Object.assign(scaleSet.status, { provisioningState: "Updating" });
  const scales = { status: "False", severity: "Info", reason: "ScaleSetScalingUp", ago } as const;
  p.condition(scaleSet, "ScaleSetDesiredReplicas", scales).condition(scaleSet, "Ready", scales);
}
