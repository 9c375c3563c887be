import { z } from "zod";

/** What a change does to the machines of each pool, and for how long. All times are minutes. */

const text = z.string();
const count = z.number().int().min(0);
const minutes = z.number().min(0).max(1e9);

const poolWork = z.strictObject({
  /** "control plane", "Windows pool win1". */
  who: text,
  /** Whether machines that run are replaced, new ones created, or some deleted without a replacement. */
  work: z.enum(["replaced", "created", "deleted"]),
  /** Where an autoscaler decides, of its smallest and its largest number of nodes. */
  machines: z.strictObject({ least: count, most: count }),
  /** How many at a time. */
  together: count,
  /** From the likely time of the fewest machines to the time in which each boot and drain of the most uses up its limit. */
  minutes: z.strictObject({
    least: minutes,
    /** Missing if a drain has no limit. */
    most: minutes.exactOptional(),
  }),
  /** How many nodes are missing at most at a time: by the settings of the rollout, or because they are deleted. */
  missing: count,
  /** How many CAPZ may drain at once; only where that is more. */
  drainedAtOnce: count.exactOptional(),
  /** vCPUs beyond those of today while it lasts, and their quota; missing for an unknown VM size. */
  extra: z.strictObject({ quota: text, vcpus: count }).exactOptional(),
});
export type PoolWork = z.infer<typeof poolWork>;

export const schedule = z.strictObject({
  pools: z.array(poolWork).readonly(),
  /** What may suffer, in sentences. */
  risks: z.array(text).readonly().default([]),
  /** Where the minutes are from. */
  source: text,
});
export type Schedule = z.infer<typeof schedule>;
