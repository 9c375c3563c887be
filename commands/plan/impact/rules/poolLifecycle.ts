import { poolKinds } from "../../../../platform/machines/pools";
import { textAt } from "../../../../tools/untyped";
import type { PoolModel } from "../../model/cluster/types";
import type { Difference } from "../differences";
import { formatChange } from "../format";
import { lifecycle, type ClusterPair, type ImpactRule } from "../impactRule";
import { countedNodes, findPool, poolLabel, poolNodes } from "../machines";
import { inPool } from "../poolRule";

/** Pools that come and go. */

/** The pool of a difference on both sides, as far as there is one. */
const poolsOf = (
  { part }: Difference,
  { base, head }: ClusterPair,
): Partial<Record<"base" | "head", PoolModel>> => {
  const [before, after] = [findPool(base, part.name), findPool(head, part.name)];
  return { ...(before ? { base: before } : {}), ...(after ? { head: after } : {}) };
};

export const poolLifecycleRules: readonly ImpactRule[] = [
  {
    id: "pool-changes-system",
    severity: "refused",
    source: "@pulumi/kubernetes 4: a create is a plain POST; a scale set keeps its osType",
    match: lifecycle("create", ...poolKinds),
    claims: inPool,
    explain: ([created], clusters) => {
      const { base, head } = poolsOf(created, clusters);
      return base && head && base.os !== head.os
        ? {
            what: `Pool ${head.name} cannot change its operating system`,
            why: "Pulumi creates the new objects before it deletes the old ones, and the API server refuses them because objects of that name exist; a scale set cannot change its operating system either",
            instead: "give the new pool another name, or remove the old one in a separate `up` first",
          }
        : undefined;
    },
  },
  {
    id: "pool-renamed",
    severity: "destroys",
    source: "project: a pool is found by its name",
    match: lifecycle("create", ...poolKinds),
    claims: inPool,
    explain: ([created], clusters) => {
      const { base } = poolsOf(created, clusters);
      const name = textAt(created.head?.inputs, "metadata", "name");
      return base && name !== base.name
        ? {
            what: `${poolLabel(base)} is renamed: ${formatChange(base.name, name)}; ${poolNodes(base, base.replicas)} and their disks are lost, and as many new ones are created`,
            why: "the new objects are created first, but nothing waits for their nodes before the old ones are deleted",
            ...countedNodes(base, base.replicas),
            instead:
              "add the pool with its new name first, drain the old one (kubectl drain), and remove it in a later `up`",
          }
        : undefined;
    },
  },
  {
    id: "pool-changes-kind",
    severity: "destroys",
    source: "project: kind of a Windows pool; a MachinePool and a MachineDeployment share nothing",
    match: lifecycle("create", ...poolKinds),
    claims: inPool,
    explain: ([created], clusters, group) => {
      const { base, head } = poolsOf(created, clusters);
      const deleted = group.find(lifecycle("delete", ...poolKinds));
      return base && head && deleted
        ? {
            what: `${poolLabel(head)} becomes another kind (${formatChange(deleted.type, created.type)}): ${poolNodes(base, base.replicas)} deleted`,
            why: "the new objects are created first, but nothing waits for their nodes before the old ones are deleted",
            ...countedNodes(base, base.replicas),
            instead:
              "add a pool of the other kind under another name, move the workload, and remove this one",
          }
        : undefined;
    },
  },
  {
    id: "pool-shares-scale-set",
    severity: "destroys",
    source: "CAPZ v1.27.0 azure/scope/machinepool.go (Name); scale sets are found and deleted by name",
    match: lifecycle("create", "MachinePool"),
    claims: inPool,
    explain: ([created], { base, head }) => {
      const pool = findPool(head, created.part.name);
      const owner = base?.pools.find(
        ({ name, scaleSet }) =>
          scaleSet !== undefined && scaleSet === pool?.scaleSet && findPool(head, name) === undefined,
      );
      return pool && owner
        ? {
            what: `${poolLabel(pool)} has the scale set of pool ${owner.name}, ${pool.scaleSet}, and loses it when that pool is deleted`,
            why: 'CAPZ shortens Windows pool names of more than 9 characters to "win-" and their last 5; Pulumi creates the new pool before it deletes the old one, and CAPZ deletes a scale set by its name',
            nodes: pool.replicas,
            instead:
              "give the new pool a name that stays different when shortened, or remove the old pool in a separate `up` first",
          }
        : undefined;
    },
  },
  {
    id: "pool-deleted",
    severity: "destroys",
    source:
      "CAPI v1.14.2 core/reconcilers/machinepool/machinepool_controller.go (finalizer); CAPZ deletes the scale set with its disks",
    match: lifecycle("delete", ...poolKinds),
    claims: inPool,
    explain: ([deleted], clusters) => {
      const { base } = poolsOf(deleted, clusters);
      return (
        base && {
          what: `${poolLabel(base)} is deleted: ${poolNodes(base, base.replicas)} and their disks are lost`,
          why: "the pool is no longer in the stack file; its pods move only if another pool of the same operating system has room",
          ...countedNodes(base, base.replicas),
          instead: "add the new pool first, drain this one (kubectl drain), and remove it in a later `up`",
        }
      );
    },
  },
  {
    id: "pool-created",
    source: "project",
    match: lifecycle("create", ...poolKinds),
    claims: inPool,
    explain: ([created], clusters) => {
      const { head } = poolsOf(created, clusters);
      return (
        head && {
          what: `${poolLabel(head)} is new: ${poolNodes(head, head.replicas)}, ${head.vmSize}`,
          why: "nothing that is running is affected",
        }
      );
    },
  },
];
