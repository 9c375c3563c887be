import { poolKinds } from "capz-windows-platform/machines/pools";
import { withoutUndefined } from "capz-windows-kit/without";
import type { PoolModel } from "../../model/cluster/types";
import type { Difference } from "../differences";
import { formatChange } from "../format";
import { lifecycle, said, type Asked, type ClusterPair, type ImpactRule, type Saying } from "../impactRule";
import { countedNodes, findPool, poolLabel, poolNodes } from "../machines";
import { inPool, type PoolPair } from "../poolRule";

/** Pools that come and go. */

/** A rule about a pool that comes or goes, and what is on either side in its part of the stack. */
const poolLifecycle = (
  kind: "create" | "delete",
  rule: Omit<Asked, "match"> &
    Saying<[Partial<PoolPair>, difference: Difference, clusters: ClusterPair, group: readonly Difference[]]>,
): ImpactRule => ({
  ...rule,
  match: lifecycle(kind, ...poolKinds),
  claims: inPool,
  explain: ([difference], clusters, group) => {
    const [base, head] = [clusters.base, clusters.head].map((side) => findPool(side, difference.part.name));
    return said(rule, withoutUndefined({ base, head }), difference, clusters, group);
  },
});

/** CAPZ v1.27.0 deletes a scale set as a whole (azure/services/scalesets), Cluster API the Machines of a MachineDeployment. */
const goesText = ({ kind, drainBeforeRemoval }: PoolModel): string => {
  if (kind === "MachinePool" && drainBeforeRemoval !== true) {
    return "without a drain: all nodes stop at once, and PodDisruptionBudgets are not asked";
  }
  return kind === "MachinePool"
    ? "after all are drained at once; where a PodDisruptionBudget holds one for an hour, `up` fails and the pool stays"
    : "each after a drain";
};

const allNodes = ({ base }: Partial<PoolPair>) => (base ? countedNodes(base, base.replicas) : {});

export const poolLifecycleRules: readonly ImpactRule[] = [
  poolLifecycle("create", {
    id: "pool-changes-system",
    severity: "refused",
    source: "@pulumi/kubernetes 4: a create is a plain POST; a scale set keeps its osType",
    what: ({ base, head }) =>
      base && head && base.os !== head.os && `Pool ${head.name} cannot change its operating system`,
    why: "Pulumi creates the new objects before it deletes the old ones, and the API server refuses them because objects of that name exist; a scale set cannot change its operating system either",
    instead: "give the new pool another name, or remove the old one in a separate `up` first",
  }),
  poolLifecycle("create", {
    id: "pool-changes-kind",
    severity: "destroys",
    source: "project: kind of a Windows pool; a MachinePool and a MachineDeployment share nothing",
    what: ({ base, head }, created, _clusters, group) => {
      const deleted = group.find(lifecycle("delete", ...poolKinds));
      return (
        base &&
        head &&
        deleted &&
        `${poolLabel(head)} becomes another kind (${formatChange(deleted.type, created.type)}): ${poolNodes(base, base.replicas)} deleted, ${goesText(base)}`
      );
    },
    why: "the new objects are created first, but nothing waits for their nodes before the old ones are deleted",
    nodes: allNodes,
    instead: "add a pool of the other kind under another name, move the workload, and remove this one",
  }),
  poolLifecycle("create", {
    id: "pool-shares-scale-set",
    severity: "destroys",
    source: "CAPZ v1.27.0 azure/scope/machinepool.go (Name); scale sets are found and deleted by name",
    what: ({ head: pool }, { type }, { base, head }) => {
      const owner = base?.pools.find(
        ({ name, scaleSet }) =>
          scaleSet !== undefined && scaleSet === pool?.scaleSet && findPool(head, name) === undefined,
      );
      return (
        type === "MachinePool" &&
        pool &&
        owner &&
        `${poolLabel(pool)} has the scale set of pool ${owner.name}, ${pool.scaleSet ?? ""}, and loses it when that pool is deleted`
      );
    },
    why: 'CAPZ shortens Windows pool names of more than 9 characters to "win-" and their last 5; Pulumi creates the new pool before it deletes the old one, and CAPZ deletes a scale set by its name',
    nodes: ({ head }) => head?.replicas ?? 0,
    instead:
      "give the new pool a name that stays different when shortened, or remove the old pool in a separate `up` first",
  }),
  poolLifecycle("delete", {
    id: "pool-deleted",
    severity: "destroys",
    source:
      "CAPI v1.14.2 core/reconcilers/machinepool/machinepool_controller.go (finalizer); CAPZ deletes the scale set with its disks",
    what: ({ base }) =>
      base &&
      `${poolLabel(base)} is deleted: ${poolNodes(base, base.replicas)} and their disks are lost, ${goesText(base)}`,
    why: "the pool is no longer in the stack file; its pods move only if another pool of the same operating system, for Windows of the same release, has room",
    nodes: allNodes,
    instead: "add the new pool first, and remove this one in a later `up`",
  }),
  poolLifecycle("create", {
    id: "pool-created",
    source: "project",
    what: ({ head }) =>
      head &&
      `${poolLabel(head)} is new: ${poolNodes(head, head.replicas)}, ${head.vmSize}${head.spot === true ? ", spot" : ""}`,
    why: "nothing that is running is affected",
  }),
];
