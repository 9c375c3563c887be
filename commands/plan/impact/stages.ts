/** When which machines are replaced, and for how long. All times are minutes. */

export interface Stage {
  /** "control plane", "Windows pool win1". */
  readonly who: string;
  /** Where an autoscaler decides, those of its largest number of nodes, as everything below. */
  readonly machines: number;
  /** The same with its smallest number; `lasts` are minutes. */
  readonly least?: { readonly machines: number; readonly missing: number; readonly lasts: number };
  /** Whether machines that run are replaced, new ones created, or some deleted without a replacement. */
  readonly work: "replaced" | "created" | "deleted";
  /** How many at a time. */
  readonly together: number;
  /** Likely times since the beginning of `up`. */
  readonly begins: number;
  readonly ends: number;
  /** How long it takes if each boot and drain uses up its limit; missing if a drain has none. */
  readonly most?: number;
  /** How many nodes are missing at most at a time: by the settings of the rollout, or because they are deleted. */
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
  /** With the smallest number of nodes of autoscalers, where that is less. */
  readonly least?: number;
  /** Missing if a drain has no limit. */
  readonly most?: number;
  /** How many nodes fewer than today there are at most at a time, by the numbers of autoscalers; missing where none. */
  readonly fewer?: { readonly least: number; readonly most: number };
  /** Minutes until a node is ready that an autoscaler adds later; missing where nothing of it changes. */
  readonly later?: number;
  /** By quota: when most vCPUs are used beyond those of today. */
  readonly peaks: readonly { readonly quota: string; readonly vcpus: number; readonly at: number }[];
  /** What may suffer, in sentences. */
  readonly risks: readonly string[];
  /** Where the minutes are from. */
  readonly source: string;
}
