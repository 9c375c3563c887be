/** Words that say what a pool of machines is. */

/** MachinePool: a scale set. MachineDeployment: single machines with a health check. */
export const PoolKind = { MachinePool: "MachinePool", MachineDeployment: "MachineDeployment" } as const;
export type PoolKind = (typeof PoolKind)[keyof typeof PoolKind];

/** The kinds of a pool's main object. */
export const poolKinds = Object.values(PoolKind);

/** What Azure does with a spot machine that it takes back. */
export const EvictionPolicy = { Delete: "Delete", Deallocate: "Deallocate" } as const;
export type EvictionPolicy = (typeof EvictionPolicy)[keyof typeof EvictionPolicy];

/** Types of managed OS disks. */
export const OsDiskType = {
  Premium_LRS: "Premium_LRS",
  Premium_ZRS: "Premium_ZRS",
  StandardSSD_LRS: "StandardSSD_LRS",
  StandardSSD_ZRS: "StandardSSD_ZRS",
  Standard_LRS: "Standard_LRS",
} as const;
export type OsDiskType = (typeof OsDiskType)[keyof typeof OsDiskType];

/** Where on its host an ephemeral OS disk is. */
export const EphemeralPlacement = {
  CacheDisk: "CacheDisk",
  ResourceDisk: "ResourceDisk",
  NvmeDisk: "NvmeDisk",
} as const;
export type EphemeralPlacement = (typeof EphemeralPlacement)[keyof typeof EphemeralPlacement];

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
