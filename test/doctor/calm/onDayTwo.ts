import { deletedMachine, drained, upgradedControlPlane, upgradedPool, webhookGone } from "../states";
import type { Calm } from "./calmState";

/** Upgrades, deletions and repairs that go on as they should, and look like faults of the second day. */

export const onDayTwo: readonly Calm[] = [
  {
    name: "the certificates of the control plane end in two months",
    make: (p) => {
      p.get("Machine", "sick-control-plane").status.certificatesExpiryDate = p.ago(-60 * 24 * 60);
    },
  },
  {
    name: "the certificates of the control plane end soon, and Cluster API replaces the machine in time",
    make: (p) => {
      p.get("Machine", "sick-control-plane").status.certificatesExpiryDate = p.ago(-8 * 24 * 60);
      Object.assign(p.get("KubeadmControlPlane").spec.rollout ?? {}, {
        before: { certificatesExpiryDays: 7 },
      });
    },
  },
  {
    name: "a pool was upgraded a moment ago, and its old node still runs",
    make: (p) => {
      upgradedControlPlane(p, "v1.36.1");
      upgradedPool(p, "win1", "v1.36.1", "1.35.6");
      const pool = p.get("AzureMachinePool", "win1");
      (pool.spec.template as { image: Record<string, unknown> }).image = {
        computeGallery: { gallery: "mine", name: "capi-windows", version: "1.36.1" },
      };
      p.condition(pool, "ScaleSetModelUpdated", {
        reason: "ScaleSetModelOutOfDate",
        severity: "Info",
        ago: 2,
      });
      Object.assign(p.get("AzureMachinePoolMachine", "win1").status, { latestModelApplied: false });
    },
  },
  {
    name: "a rollout of a pool takes an hour, and some instances are still of the old model",
    make: (p) => {
      upgradedControlPlane(p, "v1.36.1");
      upgradedPool(p, "win1", "v1.36.1", "1.35.6");
      Object.assign(p.get("AzureMachinePoolMachine", "win1").status, { latestModelApplied: false });
    },
  },
  {
    name: "a pool is three minors behind the control plane",
    make: (p) => {
      upgradedPool(p, "win1", "v1.32.9", "1.32.9");
    },
  },
  {
    name: "a pool is deleted on purpose, and its scale set with it",
    make: (p) => {
      const deletionTimestamp = p.ago(2);
      for (const kind of ["MachinePool", "AzureMachinePool"]) {
        Object.assign(p.get(kind, "win1").metadata, { deletionTimestamp });
      }
      const pool = p.get("AzureMachinePool", "win1");
      pool.status.provisioningState = "Deleting";
      p.condition(pool, "ScaleSetRunning", { reason: "ScaleSetDeleting", severity: "Info", ago: 2 });
    },
  },
  {
    name: "a pool is paused for some minutes, for a repair",
    make: (p) => {
      const pool = p.get("MachinePool", "win1");
      Object.assign(pool.metadata.annotations ?? {}, { "cluster.x-k8s.io/paused": "" });
      p.condition(pool, "Paused", { status: "True", reason: "Paused", message: "is paused", ago: 6 });
    },
  },
  {
    name: "a drain meets a webhook that is just starting",
    make: (p) => deletedMachine(p, drained(webhookGone), 1),
  },
];
