import type { MachineHealthCheckSpec } from "../capi/crds/cluster";
import type { UnhealthyNodeCondition } from "../capi/types";
import type { Platform } from "../cluster/platform";
import { filled } from "../filled";

/** When Cluster API replaces machines, and how it deletes them. */

/**
 * When a MachineHealthCheck takes a node for lost: after 5 minutes without a word of its kubelet, but after 20 of a
 * kubelet that says it is not ready. That is what every node says until the network comes, and the network may come late;
 * a first machine that is replaced meanwhile would take etcd's only member with it. A machine must be a node in 40 minutes:
 * CAPZ's end-to-end tests give one 25, and Windows needs its time.
 */
export const healthCheckDefaults = {
  nodeStartupTimeoutSeconds: 2400,
  nodeUnknownTimeoutSeconds: 300,
  nodeNotReadyTimeoutSeconds: 1200,
} as const;

/**
 * With a CNI of the users' nothing here says when it comes, and until then each node says that it is not ready: a day, so
 * that nothing is replaced that only waits for it, and what is lost is replaced in the end.
 */
const withOwnCniSeconds = 86_400;

/** How long a node may say that it is not ready, where nothing else is asked for. */
export const notReadyTimeoutSeconds = ({ cni }: Platform): number =>
  cni === "none" ? withOwnCniSeconds : healthCheckDefaults.nodeNotReadyTimeoutSeconds;

/**
 * Less would replace machines that are about to become nodes, without end. Windows: what CAPZ's own end-to-end tests wait
 * for workers (CAPZ v1.27.0 test/e2e/config/azure-dev.yaml, wait-worker-nodes). Linux: what Cluster API has by default.
 */
export const leastStartupSeconds = { windows: 1500, linux: 600 } as const;

/** What Cluster API's webhooks write (CAPI v1.14.2 core/webhooks/admission/machine.go). */
export const deletionDefault = { nodeDeletionTimeoutSeconds: 10 } as const;

/** Share of a pool's machines that may be lost at once, so that replacing them does not make an outage worse. */
const unhealthyShare = 0.4;

/** A number: Cluster API rounds a percentage down, and would replace nothing in a small pool. */
export const defaultUnhealthyLimit = (machines: number): number =>
  Math.max(1, Math.floor(machines * unhealthyShare));

/**
 * How many unhealthy machines are still replaced. A percentage is rounded down (CAPI v1.14.2
 * core/reconcilers/machinehealthcheck, getMaxUnhealthy).
 */
export const unhealthyLimit = (limit: number | string, machines: number): number =>
  typeof limit === "number" ? limit : Math.floor((Number.parseInt(limit, 10) * machines) / 100);

/** Settings of a MachineHealthCheck. */
export interface HealthCheckOptions {
  readonly unhealthyLessThanOrEqualTo?: number | string | undefined;
  readonly nodeStartupTimeoutSeconds?: number | undefined;
  readonly nodeUnknownTimeoutSeconds?: number | undefined;
  readonly nodeNotReadyTimeoutSeconds?: number | undefined;
}

const ready = (status: "Unknown" | "False", timeoutSeconds: number): UnhealthyNodeCondition => ({
  type: "Ready",
  status,
  timeoutSeconds,
});

/** What is checked, and up to how many unhealthy machines are replaced. */
export const healthCheckFields = (
  options: HealthCheckOptions = {},
  defaultLimit = 1,
): Pick<MachineHealthCheckSpec, "checks" | "remediation"> => ({
  checks: {
    nodeStartupTimeoutSeconds:
      options.nodeStartupTimeoutSeconds ?? healthCheckDefaults.nodeStartupTimeoutSeconds,
    unhealthyNodeConditions: [
      ready("Unknown", options.nodeUnknownTimeoutSeconds ?? healthCheckDefaults.nodeUnknownTimeoutSeconds),
      ready("False", options.nodeNotReadyTimeoutSeconds ?? healthCheckDefaults.nodeNotReadyTimeoutSeconds),
    ],
  },
  remediation: {
    triggerIf: { unhealthyLessThanOrEqualTo: options.unhealthyLessThanOrEqualTo ?? defaultLimit },
  },
});

/** How machines are deleted. */
export interface DeletionOptions {
  readonly drain?: boolean | undefined;
  readonly waitForVolumeDetach?: boolean | undefined;
  readonly nodeDrainTimeoutSeconds?: number | undefined;
  readonly nodeVolumeDetachTimeoutSeconds?: number | undefined;
  readonly nodeDeletionTimeoutSeconds?: number | undefined;
}

interface DeletionFields {
  readonly nodeDrainTimeoutSeconds?: number;
  readonly nodeVolumeDetachTimeoutSeconds?: number;
  readonly nodeDeletionTimeoutSeconds?: number;
}

/** The limits, where there are any: an empty mapping is refused. */
export function deletionField(options: DeletionOptions = {}): { deletion?: DeletionFields } {
  const { nodeDrainTimeoutSeconds, nodeVolumeDetachTimeoutSeconds, nodeDeletionTimeoutSeconds } = options;
  const deletion: DeletionFields = filled({
    nodeDrainTimeoutSeconds,
    nodeVolumeDetachTimeoutSeconds,
    nodeDeletionTimeoutSeconds,
  });
  return Object.keys(deletion).length === 0 ? {} : { deletion };
}

/**
 * Annotations by which a machine is deleted without what comes before. Cluster API copies those of the template to all
 * machines of a pool of either kind (CAPI v1.14.2 core/reconcilers/machinepool, computeDesiredMachine; machineset), while
 * the limits reach no machine of a scale set.
 */
export const deletionAnnotations = (options: DeletionOptions = {}): Record<string, string> => ({
  ...(options.drain === false ? { "machine.cluster.x-k8s.io/exclude-node-draining": "true" } : {}),
  ...(options.waitForVolumeDetach === false
    ? { "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach": "true" }
    : {}),
});
