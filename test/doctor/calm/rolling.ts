import type { Loose, Patient } from "../patient";
import type { Calm } from "./calmState";
import { cordon } from "./objects";

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
function instance(p: Patient, name: string, ago: number, status: Record<string, unknown>): Loose {
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

const scaleUp = (ago: number, status: Record<string, unknown>): Calm => ({
  name: `the autoscaler has added a node to an old pool ${ago} minutes ago`,
  make: (p) => {
    scaling(p, 2, ago);
    instance(p, "win1-7", ago - 1, status);
  },
});

/** The instance win1-0 has the former image. */
function outdated(p: Patient): void {
  grown(p, "win1");
  delete p.get("AzureMachinePoolMachine", "win1-0").status.latestModelApplied;
}

const joined = { provisioningState: "Succeeded", ready: true, latestModelApplied: true };

export const rolling: readonly Calm[] = [
  scaleUp(3, {}),
  scaleUp(15, { provisioningState: "Creating" }),
  scaleUp(24, { provisioningState: "Succeeded", ready: true }),
  {
    name: "an upgrade of an old pool begins: its version is newer than its nodes",
    make: (p) => {
      grown(p, "win1");
      const template = p.get("MachinePool", "win1").spec.template as { spec: { version: string } };
      template.spec.version = "v1.36.2";
      const image = p.get("AzureMachinePool", "win1").spec.template as {
        image: { computeGallery: { version: string } };
      };
      image.image.computeGallery.version = "1.36.2";
    },
  },
  {
    name: "an upgrade of an old pool: CAPZ has given the scale set the new image",
    make: (p) => {
      outdated(p);
      const scaleSet = p.get("AzureMachinePool", "win1");
      p.condition(scaleSet, "ScaleSetModelUpdated", {
        ...{ status: "False", severity: "Info", reason: "ScaleSetModelOutOfDate", ago: 2 },
      });
    },
  },
  {
    name: "an upgrade of an old pool: a new instance starts beside the old one",
    make: (p) => {
      outdated(p);
      instance(p, "win1-7", 14, { provisioningState: "Creating" });
    },
  },
  {
    name: "an upgrade of an old pool: the old node is drained",
    make: (p) => {
      outdated(p);
      instance(p, "win1-7", 22, { ...joined, nodeRef: { name: "win1000007" } });
      cordon(p, "win1", 4);
      Object.assign(p.get("Machine", "win1-0").metadata, { deletionTimestamp: p.ago(4) });
    },
  },
  {
    name: "an upgrade of an old pool: the old instance is deleted",
    make: (p) => {
      outdated(p);
      instance(p, "win1-7", 26, { ...joined, nodeRef: { name: "win1000007" } });
      for (const kind of ["Machine", "AzureMachinePoolMachine"]) {
        Object.assign(p.get(kind, "win1-0").metadata, { deletionTimestamp: p.ago(2) });
      }
    },
  },
  {
    name: "a machine of the control plane is not up to date yet",
    make: (p) => {
      p.condition(p.get("Machine", "sick-control-plane"), "UpToDate", {
        status: "False",
        reason: "NotUpToDate",
        message: "* Version v1.35.6, v1.36.2 required",
        ago: 1,
      });
    },
  },
  {
    name: "a spot machine of an old pool was taken, and CAPZ makes another one",
    make: (p) => {
      scaling(p, 2, 6);
      instance(p, "win1-7", 5, { provisioningState: "Creating" });
      Object.assign(p.get("AzureMachinePool", "win1").spec.template as object, { spotVMOptions: {} });
    },
  },
];
