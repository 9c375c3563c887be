import type { Platform } from "capz-windows-platform/cluster/platform";
import { notReadyTimeoutSeconds, type HealthCheckOptions } from "capz-windows-platform/machines/healthChecks";
import type { HealthCheckArgs } from "./machineHealthArgs";
import { nodeCount } from "./nodeCount";

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
