import type { MachineDeploymentSpec, MachineHealthCheckSpec } from "capz-types/crds/cluster";
import type { UnhealthyNodeCondition } from "capz-types";
import type { Platform } from "../cluster/platform";
import { withoutEmpty } from "capz-windows-kit/without";

/** When Cluster API replaces machines, and how it deletes them. */

/**
 * When a MachineHealthCheck regards a machine as unhealthy. A node whose kubelet has stopped reporting is unhealthy
 * after 5 minutes. A node that reports NotReady has 20 minutes, because every node does so until the CNI runs on it,
 * and replacing the first control-plane machine meanwhile would delete the only etcd member. A machine has 40 minutes
 * to become a node: CAPZ's end-to-end tests wait 25, and Windows machines can take longer.
 */
export const healthCheckDefaults = {
  nodeStartupTimeoutSeconds: 2400,
  nodeUnknownTimeoutSeconds: 300,
  nodeNotReadyTimeoutSeconds: 1200,
} as const;

/**
 * With `cni: none`, nodes report NotReady until the users have installed their CNI, which may take hours. One day gives
 * them the time, and machines that have failed are still replaced after it.
 */
const withOwnCniSeconds = 86_400;

/** Default for how long a node may report NotReady before its machine is replaced, in seconds. */
export const notReadyTimeoutSeconds = ({ cni }: Platform): number =>
  cni === "none" ? withOwnCniSeconds : healthCheckDefaults.nodeNotReadyTimeoutSeconds;

/**
 * Less would replace machines that are about to become nodes, without end. Windows: what CAPZ's own end-to-end tests
 * wait for workers (CAPZ v1.27.0 test/e2e/config/azure-dev.yaml, wait-worker-nodes). Linux: what Cluster API has by
 * default.
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

/**
 * The checks of a MachineHealthCheck, and the number of unhealthy machines up to which it replaces any.
 * @param defaultLimit - used if the options have no limit; default: 1
 */
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

/** What happens before a machine is deleted. */
export interface MachineDeletionArgs {
  /** Seconds after which a drain is abandoned; single machines and the control plane only. Default: no limit. */
  nodeDrainTimeoutSeconds?: number | undefined;
  /**
   * Seconds after which the wait for volumes to be detached is abandoned; single machines and the control plane only.
   * Default: no limit.
   */
  nodeVolumeDetachTimeoutSeconds?: number | undefined;
  /** Seconds for which the deletion of the Node is retried after the machine's; 0 is no limit. Default: 10. */
  nodeDeletionTimeoutSeconds?: number | undefined;
  /** Evict pods first; pools only. Default: true. */
  drain?: boolean | undefined;
  /** Wait until volumes are detached; pools only. Default: true. */
  waitForVolumeDetach?: boolean | undefined;
}

/** Machines of a pool and of the control plane have the same fields. */
type MachineSpec = MachineDeploymentSpec["template"]["spec"];

type DeletionFields = NonNullable<MachineSpec["deletion"]>;

/** The field `deletion` with the limits that are set; without any the field is left out, because CAPI refuses `{}`. */
export function deletionField(options: MachineDeletionArgs = {}): Pick<MachineSpec, "deletion"> {
  const { nodeDrainTimeoutSeconds, nodeVolumeDetachTimeoutSeconds, nodeDeletionTimeoutSeconds } = options;
  const deletion: DeletionFields = withoutEmpty({
    nodeDrainTimeoutSeconds,
    nodeVolumeDetachTimeoutSeconds,
    nodeDeletionTimeoutSeconds,
  } satisfies Record<keyof DeletionFields, unknown>);
  return Object.keys(deletion).length === 0 ? {} : { deletion };
}

const skipsDrain = { "machine.cluster.x-k8s.io/exclude-node-draining": "true" };

const skipsVolumes = { "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach": "true" };

/**
 * Annotations with which Cluster API skips the drain or the wait for volumes when it deletes a machine. It copies those
 * of the template to all machines of a pool of either kind (CAPI v1.14.2 core/reconcilers/machinepool,
 * computeDesiredMachine; machineset), while the limits reach no machine of a scale set.
 */
export const deletionAnnotations = (options: MachineDeletionArgs = {}): Record<string, string> => ({
  ...(options.drain === false ? skipsDrain : {}),
  ...(options.waitForVolumeDetach === false ? skipsVolumes : {}),
});
