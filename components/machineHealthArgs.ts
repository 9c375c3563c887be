/** When machines are replaced without being asked to. */
export interface HealthCheckArgs {
  /** Largest number of unhealthy machines at which they are still replaced: "2", or a percentage such as "40%". Default: 1 for the control plane, 40% of a pool and at least one. */
  unhealthyLessThanOrEqualTo?: string | undefined;
  /** Seconds in which a new machine must become a node; 0 is no limit. Default: 2400. */
  nodeStartupTimeoutSeconds?: number | undefined;
  /** Seconds without a word of kubelet. Default: 300. */
  nodeUnknownTimeoutSeconds?: number | undefined;
  /** Seconds for which a node may say that it is not ready. Default: 1200; 86400 with a CNI of your own. */
  nodeNotReadyTimeoutSeconds?: number | undefined;
  /** Make a health check. Default: true; a control plane of one machine has none. */
  enabled?: boolean | undefined;
}

/** What happens before a machine is deleted. */
export interface MachineDeletionArgs {
  /** Seconds after which a drain is given up; single machines and the control plane only. Default: no limit. */
  nodeDrainTimeoutSeconds?: number | undefined;
  /** Seconds after which volumes may still be attached; single machines and the control plane only. Default: no limit. */
  nodeVolumeDetachTimeoutSeconds?: number | undefined;
  /** Seconds for which the Node is tried to be deleted after the machine; 0 is no limit. Default: 10. */
  nodeDeletionTimeoutSeconds?: number | undefined;
  /** Evict pods first; pools only. Default: true. */
  drain?: boolean | undefined;
  /** Wait until volumes are detached; pools only. Default: true. */
  waitForVolumeDetach?: boolean | undefined;
}
