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
