/** Words that say what a pool of machines is. */

/** MachinePool: a scale set. MachineDeployment: single machines with a health check. */
export const PoolKind = { MachinePool: "MachinePool", MachineDeployment: "MachineDeployment" } as const;
export type PoolKind = (typeof PoolKind)[keyof typeof PoolKind];

/** The kinds of a pool's main object. */
export const poolKinds = Object.values(PoolKind);

/** What a taint does to pods that do not tolerate it. */
export const TaintEffect = {
  NoSchedule: "NoSchedule",
  PreferNoSchedule: "PreferNoSchedule",
  NoExecute: "NoExecute",
} as const;
export type TaintEffect = (typeof TaintEffect)[keyof typeof TaintEffect];

/** Which machines of a pool go first when it rolls or shrinks. */
export const DeletePolicy = { Oldest: "Oldest", Newest: "Newest", Random: "Random" } as const;
export type DeletePolicy = (typeof DeletePolicy)[keyof typeof DeletePolicy];
