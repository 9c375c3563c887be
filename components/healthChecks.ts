import type { Platform } from "capz-windows-platform/cluster/platform";
import { notReadyTimeoutSeconds, type HealthCheckOptions } from "capz-windows-platform/machines/healthChecks";

/** When machines are replaced automatically. */
export interface HealthCheckArgs {
  /** Largest number of unhealthy machines at which they are still replaced: "2", or a percentage such as "40%". Default: 1 for the control plane, 40% of a pool and at least one. */
  unhealthyLessThanOrEqualTo?: string | undefined;
  /** Seconds within which a new machine must become a node; 0 is no limit. Default: 2400. */
  nodeStartupTimeoutSeconds?: number | undefined;
  /** Seconds for which kubelet may be silent. Default: 300. */
  nodeUnknownTimeoutSeconds?: number | undefined;
  /** Seconds for which a node may say that it is not ready. Default: 1200; 86400 with a CNI of your own. */
  nodeNotReadyTimeoutSeconds?: number | undefined;
  /** Create a health check. Default: true; a control plane with one machine has none. */
  enabled?: boolean | undefined;
}

/** A number of nodes or a percentage such as "25%". */
export type NodeCount = number | string;

/** Cluster API takes "1" as a number and "25%" as a text. */
export function nodeCount(text: string | undefined, byDefault: NodeCount): NodeCount {
  if (text === undefined) {
    return byDefault;
  }
  return /^\d+$/.test(text) ? Number(text) : text;
}

/** The settings of a health check; `undefined` where there is to be none. */
export function healthCheckOptions(
  platform: Platform,
  { enabled = true, unhealthyLessThanOrEqualTo: limit, ...timeouts }: HealthCheckArgs = {},
): HealthCheckOptions | undefined {
  return enabled
    ? {
        ...timeouts,
        nodeNotReadyTimeoutSeconds: timeouts.nodeNotReadyTimeoutSeconds ?? notReadyTimeoutSeconds(platform),
        unhealthyLessThanOrEqualTo: limit === undefined ? undefined : nodeCount(limit, limit),
      }
    : undefined;
}
