import type { ScaleSetMachine } from "capz-windows-platform/machines/scaleDownChoice";

/** A scale set while its size changes. */

/** Until when a pool that `pulumi up` has paused stays paused. */
export type Pause = "until-lowered" | "until-gone";

export interface PoolState {
  /** `spec.replicas` of the MachinePool. */
  readonly replicas: number;
  /** The MachinePool's spec.replicas belongs to this program's changes, because an `up` was interrupted. */
  readonly owned: boolean;
  /** Names the AzureMachinePool. */
  readonly infrastructure: string;
  /** What an `up` that has paused the pool wants; undefined if none has. */
  readonly pause: Pause | undefined;
  /** The same with the time: another one for every `up`; "" if none has paused it. */
  readonly pausedBy: string;
  /** It is paused, by whomever. */
  readonly paused: boolean;
  /** CAPZ may still be at work on it. */
  readonly reconciled: boolean;
  /** The pool is still growing, and not all of its machines are known. */
  readonly growing: boolean;
  /** CAPZ has not yet seen the image of the AzureMachinePool. */
  readonly modelPending: boolean;
  readonly deletePolicy: string;
  readonly machines: readonly ScaleSetMachine[];
}
