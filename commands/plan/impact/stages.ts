/** When which machines are replaced, and for how long. All times are minutes. */

export interface Stage {
  /** "control plane", "Windows pool win1". */
  readonly who: string;
  readonly machines: number;
  /** Whether machines that run are replaced, or new ones created. */
  readonly work: "replaced" | "created";
  /** How many at a time. */
  readonly together: number;
  /** Likely times since the beginning of `up`. */
  readonly begins: number;
  readonly ends: number;
  /** How long it takes if each boot and drain uses up its limit; missing if a drain has none. */
  readonly most?: number;
  /** How many nodes are missing at most at a time, by the settings of the rollout. */
  readonly missing: number;
  /** How many CAPZ may drain at once; only where that is more. */
  readonly drainedAtOnce?: number;
  /** vCPUs beyond those of today while it lasts, and their quota; missing for an unknown VM size. */
  readonly extra?: { readonly quota: string; readonly vcpus: number };
}

export interface Schedule {
  /** In the order in which they begin. */
  readonly stages: readonly Stage[];
  readonly likely: number;
  /** Missing if a drain has no limit. */
  readonly most?: number;
  /** By quota: when most vCPUs are used beyond those of today. */
  readonly peaks: readonly { readonly quota: string; readonly vcpus: number; readonly at: number }[];
  /** Where the minutes are from. */
  readonly source: string;
}
