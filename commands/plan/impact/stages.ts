import { z } from "zod";

/** When which machines are replaced, and for how long. All times are minutes. */

const text = z.string();
const count = z.number().int().min(0);
const minutes = z.number().min(0).max(1e9);
const ofQuota = { quota: text, vcpus: count };

const stage = z.strictObject({
  /** "control plane", "Windows pool win1". */
  who: text,
  /** Where an autoscaler decides, those of its largest number of nodes, as everything below. */
  machines: count,
  /** The same with its smallest number; `lasts` are minutes. */
  least: z.strictObject({ machines: count, missing: count, lasts: minutes }).exactOptional(),
  /** Whether machines that run are replaced, new ones created, or some deleted without a replacement. */
  work: z.enum(["replaced", "created", "deleted"]),
  /** How many at a time. */
  together: count,
  /** Likely times since the beginning of `up`. */
  begins: minutes,
  ends: minutes,
  /** How long it takes if each boot and drain uses up its limit; missing if a drain has none. */
  most: minutes.exactOptional(),
  /** How many nodes are missing at most at a time: by the settings of the rollout, or because they are deleted. */
  missing: count,
  /** How many CAPZ may drain at once; only where that is more. */
  drainedAtOnce: count.exactOptional(),
  /** vCPUs beyond those of today while it lasts, and their quota; missing for an unknown VM size. */
  extra: z.strictObject(ofQuota).exactOptional(),
});
export type Stage = z.infer<typeof stage>;

export const schedule = z.strictObject({
  /** In the order in which they begin. */
  stages: z.array(stage).readonly(),
  likely: minutes,
  /** With the smallest number of nodes of autoscalers, where that is less. */
  least: minutes.exactOptional(),
  /** Missing if a drain has no limit. */
  most: minutes.exactOptional(),
  /** How many nodes fewer than today there are at most at a time, by the numbers of autoscalers; missing where none. */
  fewer: z.strictObject({ least: count, most: count }).exactOptional(),
  /** Minutes until a node is ready that an autoscaler adds later; missing where nothing of it changes. */
  later: minutes.exactOptional(),
  /** By quota: when most vCPUs are used beyond those of today. */
  peaks: z.array(z.strictObject({ ...ofQuota, at: minutes })).readonly(),
  /** What may suffer, in sentences. */
  risks: z.array(text).readonly().default([]),
  /** Where the minutes are from. */
  source: text,
});
export type Schedule = z.infer<typeof schedule>;
