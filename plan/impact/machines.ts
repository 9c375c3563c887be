import { surgeNodes } from "capz-windows-platform/machines/rollout";
import type { ClusterModel, PoolModel } from "../model/cluster/types";
import { pluralize } from "./format";
import type { ClusterPair, Explanation } from "./impactRule";

/** "Windows pool win1" */
export const poolLabel = ({ os, name }: PoolModel): string =>
  `${os === "windows" ? "Windows" : "Linux"} pool ${name}`;

/** How many nodes a pool may have. */
export const mostNodes = ({ autoscale, replicas }: PoolModel): number => autoscale?.max ?? replicas;

/** "3 nodes"; where an autoscaler decides, its range: "2 to 6 nodes (autoscaled)". */
export const poolNodes = ({ autoscale }: PoolModel, nodes: number): string =>
  autoscale === undefined || autoscale.max <= nodes
    ? pluralize(nodes, "node")
    : `${nodes} to ${pluralize(autoscale.max, "node")} (autoscaled)`;

/** The same for an impact. */
export const countedNodes = (
  { autoscale }: PoolModel,
  nodes: number,
): Pick<Explanation, "nodes" | "nodesAtMost"> => ({
  nodes,
  ...(autoscale === undefined || autoscale.max <= nodes ? {} : { nodesAtMost: autoscale.max }),
});

/** "surge 1", "surge 25%, up to 1 unavailable" */
export function rolloutText({ rollout: { maxSurge, maxUnavailable } }: PoolModel): string {
  const missing =
    maxUnavailable === 0 || maxUnavailable === "0%" ? "" : `, up to ${maxUnavailable} unavailable`;
  return `surge ${maxSurge}${missing}`;
}

/** How many nodes a pool gets on top while it rolls. */
export const surgeOf = ({ rollout: { maxSurge }, replicas }: PoolModel): number =>
  surgeNodes(maxSurge, replicas);

/** Where a pool has no surge. */
export const surgeAdvice =
  "set rollout.maxSurge to 1, so that a new node is ready before an old one is removed";

/** How many nodes that run today a rollout replaces. */
export const replacedNodes = (base: PoolModel, head: PoolModel): number =>
  head.autoscale === undefined ? Math.min(base.replicas, head.replicas) : base.replicas;

/**
 * Whether CAPZ may drain every node of a pool at once. It selects nodes again in each reconciliation and does not see that
 * a Machine is being deleted before its drain is done; the order of nodes that were created within the same second is
 * random (CAPZ v1.27.0 azure/scope/strategies/machinepool_deployments, orderByOldest; seen in test/life/slowDrain.test.ts).
 */
export const drainsAtOnce = (pool: PoolModel): boolean => pool.kind === "MachinePool" && mostNodes(pool) > 1;

/** Added to the reason of a rollout. */
export const drainText = (pool: PoolModel): string =>
  drainsAtOnce(pool)
    ? '; old nodes that were created within the same second may all be drained at once (docs/operations.md, "Replace nodes")'
    : "";

/** By name, of each cluster: every rule asks for the pool of every difference. */
const poolsByName = new WeakMap<ClusterModel, ReadonlyMap<string, PoolModel>>();

export function findPool(cluster: ClusterModel | undefined, name: string): PoolModel | undefined {
  if (cluster === undefined) {
    return undefined;
  }
  const pools =
    poolsByName.get(cluster) ?? new Map([...cluster.pools].reverse().map((pool) => [pool.name, pool]));
  poolsByName.set(cluster, pools);
  return pools.get(name);
}

/** Other pools whose nodes take pods of a pool: containers of Windows only start on their release. */
export const poolsLike = (cluster: ClusterModel | undefined, { name, os, windowsServer }: PoolModel) =>
  (cluster?.pools ?? []).filter(
    (other) =>
      other.name !== name && other.os === os && other.windowsServer === windowsServer && mostNodes(other) > 0,
  );

export const controlPlaneMachines = (cluster: ClusterModel | undefined): number =>
  cluster?.controlPlane?.replicas ?? 0;

/** Every machine of the workload cluster that runs today. */
export const machinesToday = ({ base }: ClusterPair): number =>
  controlPlaneMachines(base) + (base?.pools ?? []).reduce((sum, { replicas }) => sum + replicas, 0);
