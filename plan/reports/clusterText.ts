import type { MachinesModel, NodeRange, PoolModel } from "../model/cluster/types";

/** How reports describe the parts of a cluster. */

/** "3", or "2–10" where an autoscaler decides. */
export const rangeText = ({ min, max }: NodeRange): string => (min === max ? String(min) : `${min}–${max}`);

/** "2", or "2–10" where an autoscaler decides. */
export const countText = ({ replicas, autoscale }: PoolModel): string =>
  rangeText(autoscale ?? { min: replicas, max: replicas });

/** "Windows Server 2022", "Linux" */
export const systemText = ({ os, windowsServer }: PoolModel): string =>
  os === "linux" ? "Linux" : ["Windows Server", windowsServer].filter(Boolean).join(" ");

/** "scale set win1", "MachineDeployment" */
export const kindText = ({ kind, scaleSet }: PoolModel): string =>
  scaleSet === undefined ? kind : `scale set ${scaleSet}`;

/** The first computer names, or what all of them begin with. */
export function computerNames(
  { firstNodes, computerNamePrefix, autoscale }: PoolModel,
  most = Infinity,
): string {
  const more = firstNodes.length > most || autoscale !== undefined || firstNodes.length === 0;
  const names = firstNodes.length === 0 ? computerNamePrefix : firstNodes.slice(0, most).join(", ");
  return more ? `${names} …` : names;
}

/** "surge 1, unavailable 0" */
export const rolloutText = ({ rollout: { maxSurge, maxUnavailable } }: PoolModel): string =>
  `surge ${maxSurge}, unavailable ${maxUnavailable}`;

/** "zone 2", "zones 1, 2"; "" for a regional pool. */
export const zonesText = ({ zones }: PoolModel): string =>
  zones.length === 0 ? "" : `zone${zones.length === 1 ? "" : "s"} ${zones.join(", ")}`;

/** Fields that the stack file overrides, where there are any. */
export const overrideLines = (overrides: readonly string[] = []): string[] =>
  overrides.length === 0 ? [] : [`overrides ${overrides.join(", ")}`];

/** What machines have beyond what all have: labels, taints, data disks, kubelet options, overrides. */
export const detailLines = ({ details = [], overrides }: MachinesModel): string[] => [
  ...details,
  ...overrideLines(overrides),
];
