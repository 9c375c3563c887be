/** How often CAPZ asks Azure Resource Manager, against what Azure allows. */

/** Machines and pools of a workload cluster. */
export interface Reconciled {
  /** Those that are virtual machines of their own: the control plane and MachineDeployments. */
  readonly machines: number;
  /** Scale sets. */
  readonly scaleSets: number;
  /** Virtual machines in scale sets. */
  readonly instances: number;
}

/**
 * GET requests of one round of CAPZ, its --sync-period, in which nothing changes. Counted with CAPZ v1.27.0, its default timers
 * and a round of a minute, in a simulated Azure: 56.8 for 3 machines, 1 scale set and 2 instances. A round reconciles machines and
 * pools about 2.2 times, because the resync of objects that they watch does so too. test/life/sharedManagement.test.ts counts
 * again.
 */
export const readsPerRound = ({ machines, scaleSets, instances }: Reconciled): number =>
  Math.round(4 + 2.2 * (6 * machines + 4 * scaleSets + instances));

/**
 * GET requests a minute that Azure allows an identity in a region of a subscription for long: 25 a second.
 * https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export const readLimitPerMinute = 1500;
